//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: assertion 17
//@ options: --threads 2
//@ about: a sum by reduction, and a wrong assertion about it
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(void)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 4; i++)
        sum += i;
    assert(sum == 7);
    return 0;
}
