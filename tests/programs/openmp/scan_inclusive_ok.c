//@ verdict: race-free
//@ about: reduction(inscan) with scan inclusive: a running sum
#include <assert.h>
#define N 100

int main(void)
{
    int run = 0, out[N];
#pragma omp parallel for reduction(inscan, + : run)
    for (int i = 0; i < N; i++) {
        run += i;
#pragma omp scan inclusive(run)
        out[i] = run;
    }
    for (int i = 0; i < N; i++)
        assert(out[i] == i * (i + 1) / 2);
    return 0;
}
