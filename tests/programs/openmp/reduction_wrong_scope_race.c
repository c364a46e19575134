//@ verdict: race
//@ race: sum 17 17
//@ about: the reduction belongs to the first loop, the second one adds to the shared variable
#include <stdio.h>
#define N 100

int main(void)
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += i;
#pragma omp for
        for (int i = 0; i < N; i++)
            sum += i;
    }
    printf("%d\n", sum);
    return 0;
}
