//@ verdict: race-free
//@ about: for schedule(static) nowait: two loops of the same shape give an iteration to the same thread
#include <assert.h>
#define N 256

int main(void)
{
    int half[N], full[N];
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            half[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            full[i] = 2 * half[i];
    }
    for (int i = 0; i < N; i++)
        assert(full[i] == 2 * i);
    return 0;
}
