//@ verdict: race
//@ race: part[*] 18 18
//@ about: an untied task can go on on another thread, with the slot of the first
#include <omp.h>
#include <stdio.h>

static int part[64];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 3; i++) {
#pragma omp task untied
        {
            int me = omp_get_thread_num();
#pragma omp taskyield
            part[me]++;
        }
    }
    printf("%d\n", part[0]);
    return 0;
}
