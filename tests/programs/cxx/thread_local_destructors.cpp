//@ verdict: race-free
//@ about: thread_local objects are built on first use and destroyed at the end of their thread
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> built{0}, destroyed{0};

struct Cache {
    int hits = 0;
    Cache() { ++built; }
    ~Cache() { destroyed += hits; }
};

static thread_local Cache cache;
static thread_local int plain = 4;

static void use(int n)
{
    for (int i = 0; i < n; ++i)
        ++cache.hits;
    plain += n;
    assert(plain == 4 + n);
}

int main()
{
    std::thread a(use, 2), b(use, 3);
    a.join();
    b.join();
    assert(built == 2 && destroyed == 5);
}
