//@ verdict: defect
//@ defect: use-after-free 6
//@ flags: -std=c++20
//@ about: a variable that ends before the thread that uses it is joined
#include <thread>
int main() { std::jthread t; int x = 0; t = std::jthread([&] { x = 1; }); }
