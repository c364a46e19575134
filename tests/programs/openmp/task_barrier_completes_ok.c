//@ verdict: race-free
//@ about: task: a barrier completes the tasks of the region
#include <assert.h>
#define N 60

int main(void)
{
    int v[N], sum = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        for (int i = 0; i < N; i++) {
#pragma omp task
            v[i] = i;
        }
#pragma omp barrier
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += v[i];
    }
    assert(sum == N * (N - 1) / 2);
    return 0;
}
