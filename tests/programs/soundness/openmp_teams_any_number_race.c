//@ verdict: race
//@ race: n 11 11
//@ about: teams without num_teams may form two teams, also where --threads says 1
//@ options: --threads 1
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp teams
    n++;
    printf("%d\n", n);
    return 0;
}
