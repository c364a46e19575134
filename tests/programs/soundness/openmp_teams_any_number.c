//@ verdict: defect
//@ defect: assertion 11
//@ about: teams without num_teams may form one team
#include <assert.h>
#include <omp.h>
int main(void)
{
    int k = 0;
#pragma omp teams
    if (omp_get_team_num() == 0) k = omp_get_num_teams();
    assert(k > 1);
}
