//@ verdict: race
//@ race: w[*]|work[*]|*w|* 17 17
//@ about: rows of a heap block that are one element too close
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 50, threads = omp_get_max_threads();
    long *work = calloc(threads * n, sizeof *work);
#pragma omp parallel num_threads(threads)
    {
        long *w = work + omp_get_thread_num() * (n - 1);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 200; i++)
            w[i % n] += i;
    }
    printf("%ld\n", work[3]);
    free(work);
    return 0;
}
