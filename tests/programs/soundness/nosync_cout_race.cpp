//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ about: std::cout that is not synchronised
#include <iostream>
#include <thread>
int main() { std::ios::sync_with_stdio(false); std::thread t([] { std::cout << 1; }); std::cout << 2; t.join(); }
