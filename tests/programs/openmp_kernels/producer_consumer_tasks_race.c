//@ verdict: race
//@ race: ring[*] 16 18
//@ about: a ring of buffers between tasks; the dependence names the round, not the buffer
#include <stdio.h>
#define ROUNDS 30
#define RING 3

int main(void)
{
    int ring[RING], sum = 0;
    char round[ROUNDS];
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp task depend(out : round[k], ring[0])
        ring[k % RING] = k * k;
#pragma omp task depend(in : round[k]) depend(inout : sum) shared(sum)
        sum += ring[k % RING];
    }
    printf("%d\n", sum);
    return 0;
}
