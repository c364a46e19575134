//@ verdict: race-free
//@ about: exceptions thrown and caught inside the iteration
#include <cassert>
#include <stdexcept>

static int checked(int v)
{
    if (v % 10 == 3)
        throw std::runtime_error("three");
    return v;
}

int main()
{
    int good = 0, bad = 0;
#pragma omp parallel for reduction(+ : good, bad)
    for (int i = 0; i < 100; i++) {
        try {
            checked(i);
            good++;
        } catch (const std::runtime_error &) {
            bad++;
        }
    }
    assert(good == 90 && bad == 10);
    return 0;
}
