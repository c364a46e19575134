//@ verdict: race-free
//@ races-verdict: race-free
//@ defects-verdict: none
//@ unreached: lock 18
//@ options: --threads 2
//@ about: a critical section that no iteration comes to
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(void)
{
    int a[4], most = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        a[i] = i;
        if (a[i] > 9)
#pragma omp critical
            most = i;
    }
    return most;
}
