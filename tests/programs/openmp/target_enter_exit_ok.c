//@ verdict: race-free
//@ about: target enter data, update and exit data around regions
#include <assert.h>
#include <stdlib.h>
#define N 200

int main(void)
{
    int *v = malloc(N * sizeof *v);
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp target enter data map(to : v[0 : N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        v[i] = v[i] + 100;
#pragma omp target update from(v[0 : N])
    for (int i = 0; i < N; i++)
        v[i] -= 50;
#pragma omp target update to(v[0 : N])
#pragma omp target parallel for
    for (int i = 0; i < N; i++)
        v[i] += 1;
#pragma omp target exit data map(from : v[0 : N])
    for (int i = 0; i < N; i++)
        assert(v[i] == i + 51);
    free(v);
    return 0;
}
