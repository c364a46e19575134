//@ verdict: race
//@ race: cell[*] 30 32
//@ about: P1 section 3.4: a barrier of two threads with a counter that lets the first one pass alone
#include <stdio.h>
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
            meet(4 * k + 1);
            sum[me] += cell[1 - me];
            meet(4 * k + 4);
        }
    }
    printf("%d %d\n", sum[0], sum[1]);
    return 0;
}
