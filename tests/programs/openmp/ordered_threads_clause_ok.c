//@ verdict: race-free
//@ about: ordered threads inside a function that the loop calls
#include <assert.h>
#define N 80

static int chain;

static void append(int v)
{
#pragma omp ordered threads
    chain = (chain * 3 + v) % 1009;
}

int main(void)
{
    int want = 0;
#pragma omp parallel for ordered
    for (int i = 0; i < N; i++)
        append(i);
    for (int i = 0; i < N; i++)
        want = (want * 3 + i) % 1009;
    assert(chain == want);
    return 0;
}
