//@ verdict: race
//@ race: n 12 12
//@ about: critical binds to the contention group: it does not exclude the threads of another team
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
#pragma omp critical
    n++;
    printf("%d\n", n);
    return 0;
}
