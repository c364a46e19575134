//@ verdict: race-free
//@ flags: -fopenmp-version=52
//@ about: the doacross clause of OpenMP 5.2
#include <assert.h>
#define N 150

int main(void)
{
    int a[N];
    a[0] = a[1] = 1;
#pragma omp parallel for ordered(1)
    for (int i = 2; i < N; i++) {
#pragma omp ordered doacross(sink : i - 2)
        a[i] = a[i - 2] + 1;
#pragma omp ordered doacross(source :)
    }
    for (int i = 0; i < N; i++)
        assert(a[i] == 1 + i / 2);
    return 0;
}
