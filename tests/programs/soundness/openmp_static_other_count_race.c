//@ verdict: race
//@ race: x[*] 14 17
//@ about: static loops with different numbers of iterations do not share their mapping
#include <stdio.h>

static int x[4], y[4];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 4; i++)
            x[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < 3; i++)
            y[i] = x[i];
    }
    printf("%d\n", y[1]);
    return 0;
}
