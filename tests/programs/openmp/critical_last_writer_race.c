//@ verdict: race
//@ race: x 16 16
//@ about: all threads go on if a certain one was the last in a critical section
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
        if (winner == 1)
            x = t;
    }
    return 0;
}
