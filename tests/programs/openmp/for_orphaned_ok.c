//@ verdict: race-free
//@ about: an orphaned for: in the region it is shared out, outside one thread does it all
#include <assert.h>
#define N 250

static int v[N];

static void bump(void)
{
#pragma omp for
    for (int i = 0; i < N; i++)
        v[i]++;
}

int main(void)
{
    bump();
#pragma omp parallel
    {
        bump();
        bump();
    }
    for (int i = 0; i < N; i++)
        assert(v[i] == 3);
    return 0;
}
