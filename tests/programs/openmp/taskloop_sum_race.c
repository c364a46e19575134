//@ verdict: race
//@ race: sum 14 14
//@ about: taskloop: a sum without reduction
#include <stdio.h>
#define N 200

int main(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop shared(sum)
    for (int i = 0; i < N; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
