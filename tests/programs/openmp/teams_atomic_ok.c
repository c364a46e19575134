//@ verdict: race-free
//@ about: teams: atomic updates, a slot for each team, private and reduction
#include <assert.h>
#include <omp.h>

int main(void)
{
    int n = 0, sum = 0, slot[2] = {0}, t;
#pragma omp teams num_teams(2) private(t) reduction(+ : sum)
    {
        t = omp_get_team_num();
        slot[t] = omp_get_num_teams();
        sum += t + 1;
#pragma omp atomic
        n += 5;
    }
    assert(n == 10 && sum == 3 && slot[0] == 2 && slot[1] == 2);
    return 0;
}
