//@ verdict: race-free
//@ about: taskloop num_tasks(1): one task runs all iterations in order
#include <assert.h>
#define N 200

int main(void)
{
    int a[N + 1] = {0};
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(1)
    for (int i = 0; i < N; i++)
        a[i + 1] = a[i] + 1;
    assert(a[N] == N);
    return 0;
}
