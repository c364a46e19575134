//@ verdict: race
//@ race: part[*] 17 17
//@ about: task untied: the thread number is stale after a scheduling point, where another thread may go on
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int part[64] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task untied
        {
            int me = omp_get_thread_num();
#pragma omp taskyield
            part[me] += i;
        }
    }
    printf("%d\n", part[0]);
    return 0;
}
