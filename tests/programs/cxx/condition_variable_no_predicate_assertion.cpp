//@ verdict: defect
//@ defect: assertion 24
//@ about: waiting without a predicate: a spurious wake-up goes on too early
#include <cassert>
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
        changed.notify_all();
    });
    {
        std::unique_lock<std::mutex> l(lock);
        if (!ready)
            changed.wait(l);
        assert(ready);
    }
    t.join();
}
