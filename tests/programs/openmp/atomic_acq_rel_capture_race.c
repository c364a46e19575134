//@ verdict: race
//@ race: part[*] 13 18
//@ about: atomic capture: the second of three adds up what the third has not written
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int part[3] = {0}, arrived = 0, sum = 0;
#pragma omp parallel num_threads(3)
    {
        int n, me = omp_get_thread_num();
        part[me] = me + 10;
#pragma omp atomic capture acq_rel
        n = ++arrived;
        if (n == 2) {
            for (int t = 0; t < 3; t++)
                sum += part[t];
        }
    }
    printf("%d\n", sum);
    return 0;
}
