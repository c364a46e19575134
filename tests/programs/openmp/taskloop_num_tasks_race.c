//@ verdict: race
//@ race: a[*] 14 14
//@ about: taskloop num_tasks(4): four tasks
#include <stdio.h>
#define N 200

int main(void)
{
    int a[N + 1] = {0};
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(4)
    for (int i = 0; i < N; i++)
        a[i + 1] = a[i] + 1;
    printf("%d\n", a[N]);
    return 0;
}
