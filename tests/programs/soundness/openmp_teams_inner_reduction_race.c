//@ verdict: race
//@ race: n 10 10
//@ about: the reduction of a parallel region combines in its own team, beside the other team
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp teams num_teams(2) shared(n)
#pragma omp parallel num_threads(2) reduction(+ : n)
    n++;
    printf("%d\n", n);
    return 0;
}
