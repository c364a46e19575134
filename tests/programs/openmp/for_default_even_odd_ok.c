//@ verdict: race-free
//@ about: parallel for: writes to even elements, reads of odd ones
#include <assert.h>
#define N 1000

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp parallel for
    for (int i = 0; i < N / 2; i++)
        a[2 * i] = a[2 * i + 1] + 1;
    for (int i = 0; i < N / 2; i++)
        assert(a[2 * i] == 2 * i + 2);
    return 0;
}
