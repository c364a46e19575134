//@ verdict: race-free
//@ about: for reduction nowait: read after an explicit barrier
#include <assert.h>
#define N 300

int main(void)
{
    int sum = 0;
    int bad = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum) nowait
        for (int i = 0; i < N; i++)
            sum += i;
#pragma omp barrier
        if (sum != N * (N - 1) / 2) {
#pragma omp atomic
            bad++;
        }
    }
    assert(bad == 0);
    return 0;
}
