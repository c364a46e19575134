//@ verdict: race
//@ race: payload 14 18
//@ about: a relaxed std::atomic<bool> publishes nothing
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<bool> ready{false};
static int payload = 0;

int main()
{
    std::thread t([] {
        payload = 11;
        ready.store(true, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_relaxed))
        std::printf("%d\n", payload);
    t.join();
}
