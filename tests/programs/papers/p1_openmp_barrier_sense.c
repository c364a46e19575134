//@ verdict: race-free
//@ about: P1 section 3.4: a barrier of two threads that reverses its sense, with seq_cst atomics
#include <assert.h>
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
#pragma omp atomic capture seq_cst
    n = ++waiting;
    if (n == 2) {
#pragma omp atomic write seq_cst
        waiting = 0;
#pragma omp atomic write seq_cst
        sense = *mine;
    } else {
        do {
#pragma omp atomic read seq_cst
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
    assert(sum[0] == ROUNDS * (ROUNDS + 1) / 2 && sum[1] == ROUNDS * (ROUNDS - 1) / 2);
    return 0;
}
