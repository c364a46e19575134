//@ verdict: race
//@ races: at-least
//@ about: operator[] of a map inserts, so it may not run beside a lookup
#include <map>
#include <thread>

static std::map<int, int> cache{{1, 10}};

int main()
{
    std::thread t([] { cache[2] = 20; });
    int seen = cache.count(3) ? 1 : 0;
    t.join();
    return seen > 1;
}
