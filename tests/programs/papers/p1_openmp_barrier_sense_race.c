//@ verdict: race
//@ race: cell[*] 38 40
//@ about: P1 section 3.4: a barrier of two threads that reverses its sense, with relaxed atomics, which order nothing
#include <stdio.h>
#include <omp.h>
#ifndef ROUNDS
#define ROUNDS 2
#endif

static int waiting, sense;
static int cell[2], sum[2];

static void meet(int *mine)
{
    int n, s;
    *mine = !*mine;
#pragma omp atomic capture
    n = ++waiting;
    if (n == 2) {
#pragma omp atomic write
        waiting = 0;
#pragma omp atomic write
        sense = *mine;
    } else {
        do {
#pragma omp atomic read
            s = sense;
        } while (s != *mine);
    }
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num(), mine = 0;
        for (int k = 0; k < ROUNDS; k++) {
            cell[me] = k + me;
            meet(&mine);
            sum[me] += cell[1 - me];
            meet(&mine);
        }
    }
    printf("%d %d\n", sum[0], sum[1]);
    return 0;
}
