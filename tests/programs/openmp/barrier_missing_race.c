//@ verdict: race
//@ race: part[*] 15 17
//@ about: barrier missing between two phases of one region
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int part[64] = {0};
    int sum[64] = {0};
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        int n = omp_get_num_threads();
        part[me] = me + 1;
        for (int t = 0; t < n; t++)
            sum[me] += part[t];
    }
    printf("%d\n", sum[0]);
    return 0;
}
