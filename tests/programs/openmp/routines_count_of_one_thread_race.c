//@ verdict: race
//@ race: x 16 16
//@ about: a race only if one thread gets all iterations
#include <omp.h>
#define N 12
int cnt[8], x;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++)
            cnt[omp_get_thread_num()]++;
        if (cnt[0] == N)
            x = omp_get_thread_num();
    }
    return 0;
}
