//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: out-of-bounds 16
//@ options: --threads 2
//@ about: one iteration too many
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(void)
{
    int *a = malloc(4 * sizeof *a);
#pragma omp parallel for
    for (int i = 0; i < 5; i++)
        a[i] = i;
    free(a);
    return 0;
}
