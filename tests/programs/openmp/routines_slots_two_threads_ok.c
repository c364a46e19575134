//@ verdict: race-free
//@ about: omp_get_thread_num() % 2 with two threads
#include <assert.h>
#include <omp.h>
#define N 500

int main(void)
{
    long part[2] = {0};
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++)
        part[omp_get_thread_num() % 2] += i;
    assert(part[0] + part[1] == (long)N * (N - 1) / 2);
    return 0;
}
