//@ verdict: race
//@ race: b[*] 14 17
//@ about: master taskloop without a barrier behind it
#include <stdio.h>
#define N 120

int main(void)
{
    int b[N], c[N];
#pragma omp parallel
    {
#pragma omp master taskloop shared(b)
        for (int i = 0; i < N; i++)
            b[i] = i;
#pragma omp for
        for (int i = 0; i < N; i++)
            c[i] = b[i];
    }
    printf("%d\n", c[0]);
    return 0;
}
