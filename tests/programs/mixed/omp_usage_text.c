//@ verdict: unknown
//@ races-verdict: unknown
//@ defects-verdict: none
//@ reason: the program ended with status 2 after printing `usage: omp_usage_text SIZE`; it never came to the parallel region in line 17
//@ about: a region that is not reached without arguments
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
int main(int argc, char **argv)
{
    int n = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: %s SIZE\n", argv[0]);
        return 2;
    }
#pragma omp parallel
    n++;
    return n;
}
