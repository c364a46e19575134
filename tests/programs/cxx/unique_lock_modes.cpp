//@ verdict: race-free
//@ about: std::unique_lock with defer_lock, try_to_lock and adopt_lock, unlocking early and moving
#include <cassert>
#include <mutex>
#include <thread>
#include <utility>

static std::mutex lock;
static int value = 0, skipped = 0;

static std::unique_lock<std::mutex> locked()
{
    std::unique_lock<std::mutex> l(lock);
    ++value;
    return l;
}

static void work()
{
    std::unique_lock<std::mutex> l(lock, std::try_to_lock);
    if (l.owns_lock())
        ++value;
    else
        ++skipped;
}

int main()
{
    std::thread t(work);
    {
        std::unique_lock<std::mutex> l(lock, std::defer_lock);
        assert(!l.owns_lock());
        l.lock();
        ++value;
        l.unlock();
        assert(!l);
    }
    {
        lock.lock();
        std::unique_lock<std::mutex> l(lock, std::adopt_lock);
        assert(l.owns_lock());
        ++value;
    }
    {
        auto l = locked();
        assert(l.mutex() == &lock);
        auto m = std::move(l);
        assert(m && !l);
    }
    t.join();
    assert(value + skipped == 4);
}
