//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: assertion 19
//@ about: a task whose assertion fails; its data is its own
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(void)
{
    int a[2] = {0, 0};
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 2; i++)
#pragma omp task firstprivate(i) shared(a)
    {
        a[i] = i;
        assert(a[i] == 0);
    }
    return a[0];
}
