//@ verdict: race-free
//@ about: taskwait between two generations of tasks
#include <assert.h>
#define N 40

int main(void)
{
    int a[N], b[N];
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < N; i++) {
#pragma omp task
            a[i] = i;
        }
#pragma omp taskwait
        for (int i = 0; i < N; i++) {
#pragma omp task
            b[i] = a[N - 1 - i];
        }
    }
    for (int i = 0; i < N; i++)
        assert(b[i] == N - 1 - i);
    return 0;
}
