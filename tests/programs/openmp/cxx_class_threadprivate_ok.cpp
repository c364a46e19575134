//@ verdict: race-free
//@ about: a class object that is threadprivate, with copyin
#include <cassert>

struct Seed {
    unsigned state;
    unsigned next() { return state = state * 1664525u + 1013904223u; }
};

static Seed seed = {1};
#pragma omp threadprivate(seed)

int main()
{
    unsigned got[64] = {0};
    seed.state = 7;
#pragma omp parallel copyin(seed) num_threads(2)
    {
        unsigned v = seed.next();
#pragma omp critical
        {
            if (got[0] == 0)
                got[0] = v;
            else
                got[1] = v;
        }
    }
    assert(got[0] == got[1] && got[0] == 7u * 1664525u + 1013904223u);
    return 0;
}
