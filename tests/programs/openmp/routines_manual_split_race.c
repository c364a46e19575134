//@ verdict: race
//@ race: v[*] 16 16
//@ about: the loop is split by hand, and the blocks overlap by one element
#include <omp.h>
#include <stdio.h>
#define N 300

int main(void)
{
    int v[N + 1] = {0};
#pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        int from = me * N / n, to = (me + 1) * N / n;
        for (int i = from; i <= to; i++)
            v[i] += i;
    }
    printf("%d\n", v[N]);
    return 0;
}
