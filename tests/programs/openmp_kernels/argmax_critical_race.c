//@ verdict: race
//@ race: best 14 17
//@ about: the greatest element: the test before the critical section reads without protection
#include <stdio.h>
#define N 200

int main(void)
{
    int v[N], best = -1;
    for (int i = 0; i < N; i++)
        v[i] = (i * 77 + 5) % 199;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        if (v[i] > best) {
#pragma omp critical
            if (v[i] > best)
                best = v[i];
        }
    }
    printf("%d\n", best);
    return 0;
}
