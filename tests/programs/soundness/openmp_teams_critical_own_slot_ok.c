//@ verdict: race-free
//@ about: critical keeps the threads of one team apart
#include <assert.h>
#include <omp.h>

int main(void)
{
    int n[2] = {0};
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
#pragma omp critical
    n[omp_get_team_num()]++;
    assert(n[0] == 2 && n[1] == 2);
    return 0;
}
