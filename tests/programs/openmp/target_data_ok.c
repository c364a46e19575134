//@ verdict: race-free
//@ about: target data with update, two regions inside
#include <assert.h>
#define N 100

int main(void)
{
    int v[N], check = 0;
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp target data map(tofrom : v)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            v[i] += 1;
#pragma omp target update from(v)
        check = v[7];
#pragma omp target parallel for
        for (int i = 0; i < N; i++)
            v[i] *= 2;
    }
    assert(check == 8 && v[7] == 16);
    return 0;
}
