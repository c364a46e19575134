//@ verdict: race
//@ race: turn 11 11
//@ about: parallel num_threads from a variable
#include <stdio.h>

int main(void)
{
    int want = 2;
    int turn = 0;
#pragma omp parallel num_threads(want)
    turn = turn * 2 + 1;
    printf("%d\n", turn);
    return 0;
}
