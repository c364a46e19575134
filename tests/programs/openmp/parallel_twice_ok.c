//@ verdict: race-free
//@ about: two parallel regions: the join of the first orders them
#include <assert.h>
#define N 100

int main(void)
{
    int a[N], b[N];
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        b[i] = a[N - 1 - i];
    for (int i = 0; i < N; i++)
        assert(b[i] == N - 1 - i);
    return 0;
}
