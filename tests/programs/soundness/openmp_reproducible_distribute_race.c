//@ verdict: race
//@ race: x[*] 14 17
//@ about: two distribute loops whose schedules are not reproducible
#include <stdio.h>

static int x[4], y[4];

int main(void)
{
#pragma omp teams num_teams(2)
    {
#pragma omp distribute order(unconstrained : concurrent)
        for (int i = 0; i < 4; i++)
            x[i] = i;
#pragma omp distribute order(unconstrained : concurrent)
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + 1;
    }
    printf("%d\n", y[0]);
    return 0;
}
