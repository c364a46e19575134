//@ verdict: race
//@ race: count 10 10
//@ about: target teams: every team counts
#include <stdio.h>

int main(void)
{
    int count = 0;
#pragma omp target teams num_teams(2) map(tofrom : count)
    count++;
    printf("%d\n", count);
    return 0;
}
