//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ fixme: the end of a variable at the end of its block is not seen
//@ about: the end of a variable at the end of its block is not seen
#include <thread>
int main() { std::jthread t; int x = 0; t = std::jthread([&] { x = 1; }); }
