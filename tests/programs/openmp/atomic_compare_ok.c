//@ verdict: race-free
//@ about: atomic compare: minimum, maximum and compare-and-swap
#include <stdio.h>
#define N 200

int main(void)
{
    int low = 1 << 20, high = -1, first = -1;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int v = (i * 83) % N;
#pragma omp atomic compare
        if (v < low) {
            low = v;
        }
#pragma omp atomic compare
        if (v > high) {
            high = v;
        }
#pragma omp atomic compare
        if (first == -1) {
            first = v;
        }
    }
    printf("%d %d %d\n", low, high, first);
    return 0;
}
