//@ verdict: race-free
//@ about: the same in a distribute loop of teams
#include <assert.h>
int total;
int main(void)
{
#pragma omp teams num_teams(2)
    {
        int mine = 0, *p = &mine;
#pragma omp distribute
        for (int i = 0; i < 4; i++)
            *p += 1;
#pragma omp atomic
        total += *p;
    }
    assert(total == 4);
}
