//@ verdict: race
//@ race: slot[*] 14 14
//@ about: teams with parallel inside: the threads of one team share its slot
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int slot[2] = {0};
#pragma omp teams num_teams(2) thread_limit(2)
    {
        int t = omp_get_team_num();
#pragma omp parallel num_threads(2)
        slot[t] += 1;
    }
    printf("%d\n", slot[0]);
    return 0;
}
