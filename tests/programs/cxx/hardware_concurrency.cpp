//@ verdict: race-free
//@ options: --threads 2..3
//@ about: a program that asks std::thread::hardware_concurrency gets every value of --threads
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main()
{
    unsigned n = std::thread::hardware_concurrency();
    std::mutex lock;
    unsigned started = 0;
    std::vector<std::thread> pool;
    for (unsigned i = 0; i < n; ++i)
        pool.emplace_back([&] {
            std::lock_guard<std::mutex> g(lock);
            ++started;
        });
    for (auto &t : pool)
        t.join();
    assert(started == n);
}
