//@ verdict: race
//@ race: n 12 12
//@ about: every team has a single of its own
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
#pragma omp single
    n++;
    printf("%d\n", n);
    return 0;
}
