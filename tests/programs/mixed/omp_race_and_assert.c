//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: defect
//@ race: n 14 14
//@ about: a race in the region, an assertion behind it
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(void)
{
    int n = 0;
#pragma omp parallel num_threads(2)
    n++;
    assert(n == 3);
    return 0;
}
