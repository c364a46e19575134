//@ verdict: defect
//@ defect: deadlock 13
//@ about: without a guard an exception leaves the mutex locked
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock_;
static int done = 0;

static void step(bool fail)
{
    lock_.lock();
    if (fail)
        throw std::runtime_error("step");
    ++done;
    lock_.unlock();
}

int main()
{
    std::thread t([] {
        try {
            step(true);
        } catch (const std::exception &) {
        }
    });
    step(false);
    t.join();
}
