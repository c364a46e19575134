//@ verdict: race-free
//@ about: class objects in private, firstprivate and lastprivate: constructors, copies and destructors
#include <cassert>

struct Meter {
    int value;
    Meter() : value(100) {}
    explicit Meter(int v) : value(v) {}
    Meter(const Meter &other) : value(other.value) {}
    Meter &operator=(const Meter &other)
    {
        value = other.value;
        return *this;
    }
    ~Meter() {}
};

int main()
{
    Meter fresh(1), given(5), last(0);
    int out[200];
#pragma omp parallel for private(fresh) firstprivate(given) lastprivate(last) schedule(static)
    for (int i = 0; i < 200; i++) {
        out[i] = given.value + i;
        fresh.value = i;
        last.value = fresh.value * 2;
    }
    assert(fresh.value == 1 && given.value == 5 && last.value == 398);
    for (int i = 0; i < 200; i++)
        assert(out[i] == i + 5);
    return 0;
}
