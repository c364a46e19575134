//@ verdict: race-free
//@ about: for: the barrier at its end orders the two loops
#include <assert.h>
#define N 240

int main(void)
{
    int half[N], full[N];
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            half[i] = i;
#pragma omp for
        for (int i = 0; i < N; i++)
            full[i] = 2 * half[N - 1 - i];
    }
    for (int i = 0; i < N; i++)
        assert(full[i] == 2 * (N - 1 - i));
    return 0;
}
