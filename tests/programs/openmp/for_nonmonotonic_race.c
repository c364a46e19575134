//@ verdict: race
//@ race: sq[*] 11 11
//@ about: for schedule(nonmonotonic: dynamic): a shift by one
#include <stdio.h>

int main(void)
{
    int sq[151] = {0};
#pragma omp parallel for schedule(nonmonotonic : dynamic)
    for (int i = 0; i < 150; i++)
        sq[i + 1] = sq[i] + i;
    printf("%d\n", sq[150]);
    return 0;
}
