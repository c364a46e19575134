//@ verdict: race-free
//@ races-verdict: race-free
//@ defects-verdict: none
//@ options: --threads 2
//@ about: a region that one thread executes is reached
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(void)
{
    int n = 0;
#pragma omp parallel if (n)
    n++;
    return n == 1 ? 0 : 1;
}
