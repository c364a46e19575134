//@ verdict: race-free
//@ about: sections: each fills its own array
#include <assert.h>
#define N 200

int main(void)
{
    int a[N], b[N], c[N];
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp section
        for (int i = 0; i < N; i++)
            b[i] = 2 * i;
#pragma omp section
        for (int i = 0; i < N; i++)
            c[i] = 3 * i;
    }
    for (int i = 0; i < N; i++)
        assert(a[i] + b[i] == c[i]);
    return 0;
}
