//@ verdict: race
//@ race: n 10 10
//@ about: teams: the initial thread of each team runs the block
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp teams num_teams(2) thread_limit(2)
    n++;
    printf("%d\n", n);
    return 0;
}
