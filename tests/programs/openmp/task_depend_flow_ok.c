//@ verdict: race-free
//@ about: task depend: out before in, for every element
#include <assert.h>
#define N 50

int main(void)
{
    int a[N], b[N];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task depend(out : a[i])
        a[i] = i + 1;
#pragma omp task depend(in : a[i]) depend(out : b[i])
        b[i] = 2 * a[i];
#pragma omp task depend(in : b[i])
        a[i] = b[i];
    }
    for (int i = 0; i < N; i++)
        assert(a[i] == 2 * i + 2 && b[i] == 2 * i + 2);
    return 0;
}
