//@ verdict: race-free
//@ about: task private: a fresh variable in every task
#include <assert.h>
#define N 100

int main(void)
{
    int v[N];
    int t = 3;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task private(t)
        {
            t = i + 1;
            v[i] = t * 2;
        }
    }
    assert(t == 3);
    for (int i = 0; i < N; i++)
        assert(v[i] == 2 * i + 2);
    return 0;
}
