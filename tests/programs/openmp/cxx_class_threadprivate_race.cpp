//@ verdict: race
//@ race: calls 10 10
//@ about: a threadprivate class object whose member function counts in a static member, which all threads share
#include <cstdio>

struct Seed {
    unsigned state;
    static int calls;
    unsigned next()
    {   calls++;
        return state = state * 1664525u + 1013904223u;
    }
};

int Seed::calls = 0;
static Seed seed = {1};
#pragma omp threadprivate(seed)

int main()
{
#pragma omp parallel copyin(seed) num_threads(2)
    seed.next();
    std::printf("%d\n", Seed::calls);
    return 0;
}
