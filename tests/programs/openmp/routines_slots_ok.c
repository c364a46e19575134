//@ verdict: race-free
//@ about: omp_get_thread_num: a slot for each thread, added up after the region
#include <assert.h>
#include <omp.h>
#define N 500

int main(void)
{
    long part[64] = {0};
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        part[omp_get_thread_num()] += v[i];
    long sum = 0;
    for (int t = 0; t < 64; t++)
        sum += part[t];
    assert(sum == (long)N * (N - 1) / 2);
    return 0;
}
