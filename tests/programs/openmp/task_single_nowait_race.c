//@ verdict: race
//@ race: v[*] 15 19
//@ about: task: single nowait, then a loop over what the tasks write
#include <stdio.h>
#define N 60

int main(void)
{
    int v[N] = {0}, sum = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        for (int i = 0; i < N; i++) {
#pragma omp task
            v[i] = i;
        }
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += v[i];
    }
    printf("%d\n", sum);
    return 0;
}
