//@ verdict: defect
//@ defect: assertion 14
//@ about: omp_set_num_teams gives the most teams, not the number
#include <assert.h>
#include <omp.h>

int main(void)
{
    int teams = 0;
    omp_set_num_teams(3);
#pragma omp teams reduction(+ : teams)
    teams++;
    assert(teams <= 3 && teams >= 1);
    assert(teams == 3);
    return 0;
}
