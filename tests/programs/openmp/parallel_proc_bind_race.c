//@ verdict: race
//@ race: f[*] 13 13
//@ about: parallel proc_bind: where threads run orders nothing
#include <stdio.h>

int main(void)
{
    double f[101] = {0};
#pragma omp parallel proc_bind(spread)
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            f[i] = f[i + 1] * 0.5;
    }
    printf("%g\n", f[0]);
    return 0;
}
