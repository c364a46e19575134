//@ verdict: race-free
//@ about: the initialisation of a static local variable is guarded by the implementation
#include <cassert>
#include <thread>

struct Registry {
    int entries;
    explicit Registry(int n) : entries(n) { ++built; }
    static int built;
};
int Registry::built = 0;

static Registry &registry()
{
    static Registry instance(3);
    return instance;
}

int main()
{
    int seen = 0;
    std::thread t([&] { seen = registry().entries; });
    int mine = registry().entries;
    t.join();
    assert(seen == 3 && mine == 3 && Registry::built == 1);
}
