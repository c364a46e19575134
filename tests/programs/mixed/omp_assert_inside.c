//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: assertion 13
//@ about: an assertion of every thread that fails for one of them
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(void)
{
#pragma omp parallel num_threads(2)
    assert(omp_get_thread_num() == 0);
    return 0;
}
