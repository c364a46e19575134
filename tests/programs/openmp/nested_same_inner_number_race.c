//@ verdict: race
//@ race: sum[*] 16 16
//@ about: nested parallel: threads of different teams have the same number
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int sum[2] = {0};
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
            int inner = omp_get_thread_num();
            sum[inner] += 1;
        }
    }
    printf("%d\n", sum[0]);
    return 0;
}
