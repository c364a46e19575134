//@ verdict: race
//@ race: many 15 15
//@ about: whether a shared variable is written depends on how much the thread has done
#include <omp.h>
#include <stdio.h>
#define N 200

static int count[64], many;

int main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(2)
    for (int i = 0; i < N; i++)
        if (++count[omp_get_thread_num()] > 30)
            many = 1;
    printf("%d\n", many);
    return 0;
}
