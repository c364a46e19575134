//@ verdict: race-free
//@ about: task: the loop index is firstprivate, every task has its element
#include <assert.h>
#define N 100

int main(void)
{
    int v[N];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task
        v[i] = i * i;
    }
    for (int i = 0; i < N; i++)
        assert(v[i] == i * i);
    return 0;
}
