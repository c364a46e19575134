//@ verdict: race-free
//@ about: the sum over the slots of all threads does not depend on the distribution
#include <omp.h>
#define N 30
int cnt[8], x;

int main(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++)
            cnt[omp_get_thread_num()] += i;
    }
    int tot = 0;
    for (int t = 0; t < 3; t++)
        tot += cnt[t];
    if (tot == 0) {
#pragma omp parallel num_threads(2)
        x++;
    }
    return 0;
}
