//@ verdict: race-free
//@ about: for schedule(dynamic, 7): iterations are independent
#include <assert.h>
#define N 500

int main(void)
{
    int a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = N - i;
#pragma omp parallel for schedule(dynamic, 7)
    for (int i = 0; i < N; i++)
        b[i] = a[N - 1 - i];
    for (int i = 0; i < N; i++)
        assert(b[i] == i + 1);
    return 0;
}
