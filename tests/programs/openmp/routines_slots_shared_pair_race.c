//@ verdict: race
//@ race: part[*] 16 16
//@ about: omp_get_thread_num() / 2: two threads share a slot
#include <omp.h>
#include <stdio.h>
#define N 500

int main(void)
{
    long part[64] = {0};
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < N; i++)
        part[omp_get_thread_num() / 2] += v[i];
    printf("%ld\n", part[0] + part[1]);
    return 0;
}
