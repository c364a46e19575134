//@ verdict: race
//@ race: leaf 15 18
//@ about: taskwait: it waits for children, not for grandchildren
#include <stdio.h>

int main(void)
{
    int leaf = 0, got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(leaf)
        {
#pragma omp task shared(leaf)
            leaf = 1;
        }
#pragma omp taskwait
        got = leaf;
    }
    printf("%d\n", got);
    return 0;
}
