//@ verdict: race-free
//@ about: cancel for with an atomic result: unless OMP_CANCELLATION is set the loop runs on
#include <assert.h>
#define N 100

int main(void)
{
    int found = 0;
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            if (v[i] == 42) {
#pragma omp atomic write
                found = 1;
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
    }
    assert(found == 1);
    return 0;
}
