//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: deadlock 23
//@ about: a barrier that only one thread comes to
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(void)
{
    int a[2] = {0, 0};
#pragma omp parallel num_threads(2)
    {
        int t = omp_get_thread_num();
        omp_lock_t *l = NULL;
        (void)l;
        a[t] = t;
        if (t == 0) {
            omp_lock_t own;
            omp_init_lock(&own);
            omp_set_lock(&own);
            omp_set_lock(&own);
        }
    }
    return a[0];
}
