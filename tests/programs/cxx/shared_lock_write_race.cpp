//@ verdict: race
//@ race: hits 13 13
//@ about: a counter changed under a shared lock
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int table = 4, hits = 0;

static int lookup()
{
    std::shared_lock<std::shared_mutex> l(lock);
    ++hits;
    return table;
}

int main()
{
    std::thread a(lookup), b(lookup);
    a.join();
    b.join();
}
