//@ verdict: race-free
//@ about: two distribute loops with a reproducible schedule: the same team executes the same iteration
#include <assert.h>

static int x[4], y[4];

int main(void)
{
#pragma omp teams num_teams(2)
    {
#pragma omp distribute order(reproducible : concurrent)
        for (int i = 0; i < 4; i++)
            x[i] = i;
#pragma omp distribute order(reproducible : concurrent)
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + 1;
    }
    for (int i = 0; i < 4; i++)
        assert(y[i] == i + 1);
    return 0;
}
