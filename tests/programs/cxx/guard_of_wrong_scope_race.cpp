//@ verdict: race
//@ race: counter 15 15
//@ about: the scope of the guard ends before the access that it should protect
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter = 0;

static void work()
{
    {
        std::lock_guard<std::mutex> guard(lock);
    }
    ++counter;
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
    return 0;
}
