//@ verdict: race-free
//@ about: std::mutex and std::lock_guard
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter = 0;

static void work(int n)
{
    for (int i = 0; i < n; ++i) {
        std::lock_guard<std::mutex> guard(lock);
        ++counter;
    }
}

int main()
{
    std::thread a(work, 1), b(work, 2);
    a.join();
    b.join();
    assert(counter == 3);
}
