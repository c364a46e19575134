//@ verdict: race
//@ race: part[*] 13 13
//@ about: omp_get_thread_num() % 2: the third thread comes back to the slot of the first
#include <omp.h>
#include <stdio.h>
#define N 500

int main(void)
{
    long part[2] = {0};
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < N; i++)
        part[omp_get_thread_num() % 2] += i;
    printf("%ld\n", part[0] + part[1]);
    return 0;
}
