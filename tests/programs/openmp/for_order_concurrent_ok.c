//@ verdict: race-free
//@ about: for order(concurrent) with independent iterations
#include <assert.h>
#define N 100

int main(void)
{
    int v[N];
#pragma omp parallel for order(concurrent)
    for (int i = 0; i < N; i++)
        v[i] = i + 3;
    for (int i = 0; i < N; i++)
        assert(v[i] == i + 3);
    return 0;
}
