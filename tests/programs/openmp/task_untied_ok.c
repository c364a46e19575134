//@ verdict: race-free
//@ about: task untied: the parts may run on different threads, one after the other
#include <assert.h>
#define N 30

int main(void)
{
    int v[N];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task untied
        {
            v[i] = i;
#pragma omp taskyield
            v[i] += 100;
        }
    }
    for (int i = 0; i < N; i++)
        assert(v[i] == i + 100);
    return 0;
}
