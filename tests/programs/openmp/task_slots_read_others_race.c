//@ verdict: race
//@ race: part[0] 16 17
//@ about: a task reads the slot of thread 0 while the others are in use
#include <omp.h>
#include <stdio.h>

static int part[64], seen[40];

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 40; i++) {
#pragma omp task
        {
            part[omp_get_thread_num()]++;
            seen[i] = part[0];
        }
    }
    printf("%d\n", seen[3]);
    return 0;
}
