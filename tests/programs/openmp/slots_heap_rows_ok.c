//@ verdict: race-free
//@ about: a row of a heap block for each thread, added up in a second loop
#include <assert.h>
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    int n = 50, threads = omp_get_max_threads();
    long *work = calloc(threads * n, sizeof *work), *y = calloc(n, sizeof *y);
#pragma omp parallel num_threads(threads)
    {
        long *w = work + omp_get_thread_num() * n;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 200; i++)
            w[i % n] += i;
#pragma omp for
        for (int k = 0; k < n; k++)
            for (int t = 0; t < threads; t++)
                y[k] += work[t * n + k];
    }
    for (int k = 0; k < n; k++)
        assert(y[k] == 4 * k + 300);
    free(work);
    free(y);
    return 0;
}
