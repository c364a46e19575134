//@ verdict: race-free
//@ about: a reduction over the teams counts them, however many there are
#include <assert.h>
#include <omp.h>
int main(void)
{
    int k = 0, s=0;
#pragma omp teams reduction(+:s)
    { if (omp_get_team_num() == 0) k = omp_get_num_teams(); s++; }
    assert(k == s);
}
