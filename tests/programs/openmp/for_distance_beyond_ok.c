//@ verdict: race-free
//@ about: for: what is read lies behind the last element that is written
#include <assert.h>
#define N 200

int main(void)
{
    int a[2 * N];
    for (int i = 0; i < 2 * N; i++)
        a[i] = i;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = a[i + N];
    for (int i = 0; i < N; i++)
        assert(a[i] == i + N);
    return 0;
}
