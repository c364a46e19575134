//@ verdict: race
//@ race: c[*] 25 28
//@ about: three vectors; the sum starts while the loop with nowait is running
#include <stdio.h>
#define N 300

static int a[N], b[N], c[N];

int main(void)
{
    long sum = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            for (int i = 0; i < N; i++)
                a[i] = i;
#pragma omp section
            for (int i = 0; i < N; i++)
                b[i] = N - i;
        }
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            c[i] = a[i] + b[i];
#pragma omp single nowait
        for (int i = 0; i < N; i++)
            sum += c[i];
    }
    printf("%ld\n", sum);
    return 0;
}
