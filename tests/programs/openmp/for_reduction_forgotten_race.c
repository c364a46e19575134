//@ verdict: race
//@ race: sum 14 14
//@ about: for: the sum should have been a reduction
#include <stdio.h>
#define N 300

int main(void)
{
    double x[N], sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = 1.0 / (i + 1);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        sum += x[i];
    printf("%f\n", sum);
    return 0;
}
