//@ verdict: race-free
//@ about: for schedule(runtime) after omp_set_schedule(dynamic, 10): dependences stay inside chunks
#include <omp.h>
int a[101];

int main(void)
{
    omp_set_schedule(omp_sched_dynamic, 10);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 100; i++)
        if (i % 10 != 9)
            a[i] = a[i + 1];
    return 0;
}
