//@ verdict: race-free
//@ about: a ring of buffers between producing and consuming tasks, ordered by dependences
#include <assert.h>
#define ROUNDS 30
#define RING 3

int main(void)
{
    int ring[RING], sum = 0;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp task depend(out : ring[k % RING])
        ring[k % RING] = k * k;
#pragma omp task depend(in : ring[k % RING]) depend(inout : sum) shared(sum)
        sum += ring[k % RING];
    }
    assert(sum == (ROUNDS - 1) * ROUNDS * (2 * ROUNDS - 1) / 6);
    return 0;
}
