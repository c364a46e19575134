//@ verdict: race-free
//@ about: schedule(static): the thread of an iteration is remembered, and only the owner touches the element later
#include <assert.h>
#include <omp.h>
#define N 100

int main(void)
{
    int owner[N], v[N] = {0};
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            owner[i] = me;
        for (int i = 0; i < N; i++)
            if (owner[i] == me)
                v[i]++;
    }
    for (int i = 0; i < N; i++)
        assert(v[i] == 1);
    return 0;
}
