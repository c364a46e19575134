//@ verdict: race-free
//@ about: teams num_teams(1): one initial thread
#include <assert.h>

int main(void)
{
    int n = 0;
#pragma omp teams num_teams(1)
    n++;
    assert(n == 1);
    return 0;
}
