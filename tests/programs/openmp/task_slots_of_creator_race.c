//@ verdict: race
//@ race: part[*] 16 16
//@ about: a task uses the slot of the thread that created it
#include <omp.h>
#include <stdio.h>

static int part[64];

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 40; i++) {
        int me = omp_get_thread_num();
#pragma omp task firstprivate(me)
        part[me]++;
    }
    printf("%d\n", part[0]);
    return 0;
}
