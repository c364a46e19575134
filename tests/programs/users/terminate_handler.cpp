//@ verdict: race-free
//@ flags: -std=c++17
//@ about: an exception leaves a thread, but the terminate handler ends the program well
#include <cstdlib>
#include <exception>
#include <iostream>
#include <set>
#include <thread>
[[noreturn]] void mine()
{
    std::cout << "mine\n";
    std::_Exit(0);
}
int main()
{
    std::set_terminate(mine);
    std::thread t([] {
        throw 1;
    });
    t.join();
}
