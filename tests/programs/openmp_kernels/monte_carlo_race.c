//@ verdict: race
//@ race: state|*state 12 12
//@ race: state|*state 12 13
//@ about: Monte Carlo with one generator for all
#include <stdio.h>
#define N 500

static unsigned state = 1;

static unsigned draw(void)
{
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x3ff;
}

int main(void)
{
    int inside = 0;
#pragma omp parallel for reduction(+ : inside)
    for (int i = 0; i < N; i++) {
        unsigned x = draw(), y = draw();
        inside += x * x + y * y < 1024u * 1024u;
    }
    printf("%d\n", inside);
    return 0;
}
