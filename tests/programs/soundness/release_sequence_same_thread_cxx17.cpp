//@ verdict: race-free
//@ flags: -std=c++17
//@ about: before C++20 a relaxed store of the same thread continues the release sequence
#include <atomic>
#include <thread>

std::atomic<int> f;
int x;

void work()
{
    x = 1;
    f.store(1, std::memory_order_release);
    f.store(2, std::memory_order_relaxed);
}
int read()
{
    return f.load(std::memory_order_acquire) == 2 ? x : 0;
}
int main()
{
    std::thread t(work);
    read();
    t.join();
    return 0;
}
