//@ verdict: race
//@ race: part[*] 16 19
//@ about: barrier: two phases are separated, the return to the first one is not
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
        for (int round = 0; round < 3; round++) {
            part[me] = round;
#pragma omp barrier
            for (int t = 0; t < n; t++)
                sum[me] += part[t];
        }
    }
    printf("%d\n", sum[0]);
    return 0;
}
