//@ verdict: race
//@ race: x[*]|x 16 19
//@ about: a barrier does not wait for another team
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int x[2] = {0}, y = 0;
#pragma omp teams num_teams(2)
    {
        int t = omp_get_team_num();
#pragma omp parallel num_threads(2)
        {
            if (t == 0 && omp_get_thread_num() == 0)
                x[0] = 1;
#pragma omp barrier
            if (t == 1 && omp_get_thread_num() == 0)
                y = x[0];
        }
    }
    printf("%d\n", y);
    return 0;
}
