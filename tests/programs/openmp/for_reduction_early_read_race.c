//@ verdict: race
//@ race: sum 14 17
//@ about: for reduction nowait: the variable is read before the barrier that completes it
#include <stdio.h>
#define N 300

int main(void)
{
    int sum = 0;
    int copy[8] = {0};
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
#pragma omp for reduction(+ : sum) nowait
        for (int i = 0; i < N; i++)
            sum += i;
        mine = sum;
#pragma omp critical
        copy[0] += mine;
    }
    printf("%d\n", copy[0]);
    return 0;
}
