//@ verdict: race
//@ race: high 13 15
//@ about: atomic write guarded by a plain test of the same variable
#include <stdio.h>
#define N 200

int main(void)
{
    int high = -1;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int v = (i * 83) % N;
        if (v > high) {
#pragma omp atomic write
            high = v;
        }
    }
    printf("%d\n", high);
    return 0;
}
