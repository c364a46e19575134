//@ verdict: race-free
//@ about: a barrier waits for the threads of its own team
#include <assert.h>
#include <omp.h>

int main(void)
{
    int x[2] = {0}, y[2] = {0};
#pragma omp teams num_teams(2)
    {
        int t = omp_get_team_num();
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0)
                x[t] = 1;
#pragma omp barrier
            if (omp_get_thread_num() == 1)
                y[t] = x[t];
        }
    }
    assert(y[0] == 1 && y[1] == 1);
    return 0;
}
