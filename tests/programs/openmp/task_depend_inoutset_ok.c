//@ verdict: race-free
//@ about: task depend(inoutset): the set runs side by side on its own elements, the reader waits for all
#include <assert.h>
#define N 30

int main(void)
{
    int v[N], sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(inoutset : v)
            v[i] = i;
        }
#pragma omp task depend(in : v) shared(sum)
        for (int i = 0; i < N; i++)
            sum += v[i];
    }
    assert(sum == N * (N - 1) / 2);
    return 0;
}
