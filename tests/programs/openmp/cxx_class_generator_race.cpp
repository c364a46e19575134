//@ verdict: race
//@ race: seed.state|this->state|state 8 8
//@ about: one random number generator for all threads
#include <cstdio>

struct Seed {
    unsigned state = 1;
    unsigned next() { return state = state * 1664525u + 1013904223u; }
};

int main()
{
    Seed seed;
    unsigned draw[100];
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        draw[i] = seed.next();
    std::printf("%u\n", draw[0]);
    return 0;
}
