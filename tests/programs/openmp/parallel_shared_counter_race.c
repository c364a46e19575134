//@ verdict: race
//@ race: hits 12 12
//@ about: parallel: every thread increments one shared variable
#include <stdio.h>

int main(void)
{
    int hits = 0;
#pragma omp parallel
    {
        for (int k = 0; k < 100; k++)
            hits++;
    }
    printf("%d\n", hits);
    return 0;
}
