//@ verdict: race-free
//@ about: P1 section 3.4: a barrier of two threads: a counter in critical sections and busy waiting
#include <assert.h>
#include <omp.h>
#ifndef ROUNDS
#define ROUNDS 2
#endif

static int arrived;
static int cell[2], sum[2];

static void meet(int upto)
{
    int n;
#pragma omp critical(door)
    arrived++;
    do {
#pragma omp critical(door)
        n = arrived;
    } while (n < upto);
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        for (int k = 0; k < ROUNDS; k++) {
            cell[me] = k + me;
            meet(4 * k + 2);
            sum[me] += cell[1 - me];
            meet(4 * k + 4);
        }
    }
    assert(sum[0] == ROUNDS * (ROUNDS + 1) / 2 && sum[1] == ROUNDS * (ROUNDS - 1) / 2);
    return 0;
}
