//@ verdict: race-free
//@ about: wait_for with a predicate may give up before the condition holds
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready = false;

int main()
{
    std::thread t([] {
        std::lock_guard<std::mutex> g(lock);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> l(lock);
        bool in_time = changed.wait_for(l, std::chrono::milliseconds(5), [] { return ready; });
        assert(in_time == ready);
    }
    t.join();
    assert(ready);
}
