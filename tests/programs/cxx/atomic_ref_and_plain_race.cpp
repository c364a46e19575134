//@ verdict: race
//@ race: plain 13 15
//@ races: at-least
//@ flags: -std=c++20
//@ about: while an atomic_ref exists the object may only be accessed through it
#include <atomic>
#include <thread>

int main()
{
    int plain = 0;
    std::thread t([&plain] {
        std::atomic_ref<int>(plain).store(1);
    });
    int seen = plain;
    t.join();
    return seen > 1;
}
