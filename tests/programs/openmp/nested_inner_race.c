//@ verdict: race
//@ race: sum[*] 17 17
//@ about: nested parallel: the threads of an inner team share a slot of the outer one
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int sum[2] = {0};
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            for (int k = 0; k < 50; k++)
                sum[outer] += k;
        }
    }
    printf("%d %d\n", sum[0], sum[1]);
    return 0;
}
