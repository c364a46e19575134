//@ verdict: race-free
//@ about: the last thread in a critical section goes on alone
#include <omp.h>
int winner = -1, x;

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        int t = omp_get_thread_num();
#pragma omp critical
        winner = t;
#pragma omp barrier
        if (winner == t)
            x = t;
    }
    return 0;
}
