//@ verdict: race-free
//@ about: target with a scalar that is not mapped: each region has a copy, parallel inside would share that
#include <assert.h>
#define N 100

int main(void)
{
    int v[N], bias = 4;
#pragma omp target map(from : v)
    {
        bias += 1;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            v[i] = i + bias;
    }
    assert(bias == 4 && v[10] == 15);
    return 0;
}
