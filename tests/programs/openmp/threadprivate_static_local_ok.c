//@ verdict: race-free
//@ about: a static local variable made threadprivate
#include <assert.h>

static int next_id(int step)
{
    static int last;
#pragma omp threadprivate(last)
    last += step;
    return last;
}

int main(void)
{
    int id[100];
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 100; i++)
        id[i] = next_id(2);
    for (int i = 0; i < 100; i++)
        assert(id[i] > 0 && id[i] % 2 == 0);
    return 0;
}
