//@ verdict: race-free
//@ about: every iteration notes its thread, which nothing depends on
#include <omp.h>
#include <stdio.h>
#define N 200

static int owner[N];

int main(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++)
        owner[i] = omp_get_thread_num();
    for (int i = 0; i < N; i++)
        printf("%d ", owner[i]);
    return 0;
}
