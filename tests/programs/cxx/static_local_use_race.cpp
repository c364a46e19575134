//@ verdict: race
//@ race: instance.entries|registry().entries|r.entries 19 19
//@ about: the guard protects the initialisation of a static local, not its later use
#include <thread>

struct Registry {
    int entries = 0;
};

static Registry &registry()
{
    static Registry instance;
    return instance;
}

static void add()
{
    Registry &r = registry();
    r.entries++;
}

int main()
{
    std::thread a(add), b(add);
    a.join();
    b.join();
}
