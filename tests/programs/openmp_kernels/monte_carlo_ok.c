//@ verdict: race-free
//@ about: Monte Carlo with a generator for each sample
#include <assert.h>
#define N 500

static unsigned draw(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16 & 0x3ff;
}

int main(void)
{
    int inside = 0;
#pragma omp parallel for reduction(+ : inside)
    for (int i = 0; i < N; i++) {
        unsigned state = (unsigned)i * 2654435761u + 1u;
        unsigned x = draw(&state), y = draw(&state);
        if (x * x + y * y < 1024u * 1024u)
            inside++;
    }
    assert(inside > 0 && inside < N);
    return 0;
}
