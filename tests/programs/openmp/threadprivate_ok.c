//@ verdict: race-free
//@ about: threadprivate: a file-scope variable of each thread
#include <assert.h>

static int calls;
#pragma omp threadprivate(calls)

static void work(int *cell)
{
    calls++;
    *cell = 1;
}

int main(void)
{
    int cell[300] = {0}, sum = 0;
#pragma omp parallel
    {
        calls = 0;
#pragma omp for
        for (int i = 0; i < 300; i++)
            work(&cell[i]);
#pragma omp atomic
        sum += calls;
    }
    assert(sum == 300);
    return 0;
}
