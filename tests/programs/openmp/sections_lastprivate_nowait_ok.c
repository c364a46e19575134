//@ verdict: race-free
//@ about: sections nowait, then work that does not touch what they write
#include <assert.h>
#define N 100

int main(void)
{
    int a = 0, b = 0, v[N];
#pragma omp parallel
    {
#pragma omp sections nowait
        {
#pragma omp section
            a = 1;
#pragma omp section
            b = 2;
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            v[i] = i;
    }
    assert(a == 1 && b == 2 && v[5] == 5);
    return 0;
}
