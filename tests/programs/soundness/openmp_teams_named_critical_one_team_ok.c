//@ verdict: race-free
//@ about: critical in the only team of a league
#include <assert.h>

int main(void)
{
    int n = 0;
#pragma omp teams num_teams(1)
#pragma omp parallel num_threads(2)
#pragma omp critical(count)
    n++;
    assert(n == 2);
    return 0;
}
