/* Heat in a rod, step by step, until it hardly changes. */
#include <math.h>
#include <stdio.h>

#define N 500

static double now[N], next[N];

int main(void)
{
    double change = 1, heat = 0;
    now[0] = next[0] = 100;
    for (int step = 0; step < 40 && change > 0.01; step++) {
        change = 0;
#pragma omp parallel for reduction(max : change)
        for (int i = 1; i < N - 1; i++) {
            next[i] = 0.5 * (now[i - 1] + now[i + 1]);
            change = fmax(change, fabs(next[i] - now[i]));
        }
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++) {
            now[i] = next[i];
            heat += now[i];
        }
    }
    printf("%g\n", heat);
    return 0;
}
