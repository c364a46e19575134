//@ verdict: race-free
//@ about: atomic is indivisible among the threads of all teams
#include <assert.h>

int main(void)
{
    int n = 0;
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
#pragma omp atomic
    n++;
    assert(n == 4);
    return 0;
}
