//@ verdict: race-free
//@ flags: -std=c++20
//@ about: whichever waiter notify_one unblocks, it notifies the other
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> a;
int x;
int main()
{
    auto wait = [] {
        a.wait(0);
        assert(x == 1);
        a.notify_one();
    };
    std::thread w1(wait), w2(wait);
    x = 1;
    a.store(1);
    a.notify_one();
    w1.join();
    w2.join();
    return 0;
}
