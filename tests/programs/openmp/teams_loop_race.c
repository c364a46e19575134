//@ verdict: race
//@ race: last 13 13
//@ about: teams loop: all iterations write one variable
#include <stdio.h>
#define N 200

static int last;

int main(void)
{
#pragma omp teams loop num_teams(2)
    for (int i = 0; i < N; i++)
        last = i;
    printf("%d\n", last);
    return 0;
}
