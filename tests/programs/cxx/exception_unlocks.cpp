//@ verdict: race-free
//@ about: a guard unlocks when an exception leaves its scope, so the other thread does not hang
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int done = 0, failed = 0;

static void step(bool fail)
{
    std::lock_guard<std::mutex> g(lock);
    if (fail)
        throw std::runtime_error("step");
    ++done;
}

static void run(bool fail, int &errors)
{
    try {
        step(fail);
    } catch (const std::exception &) {
        ++errors;
    }
}

int main()
{
    std::thread t([] { run(true, failed); });
    int mine = 0;
    run(false, mine);
    t.join();
    assert(done == 1 && failed == 1 && mine == 0);
}
