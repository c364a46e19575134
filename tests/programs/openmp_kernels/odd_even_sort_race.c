//@ verdict: race
//@ races: at-least
//@ race: v[*] 17 19
//@ about: odd-even transposition sort without the barrier between the phases
#include <stdio.h>
#define N 40

int main(void)
{
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = N - 1 - i;
#pragma omp parallel
    for (int phase = 0; phase < 4; phase++) {
#pragma omp for nowait
        for (int i = phase % 2; i < N - 1; i += 2)
            if (v[i] > v[i + 1]) {
                int t = v[i];
                v[i] = v[i + 1];
                v[i + 1] = t;
            }
    }
    printf("%d\n", v[0]);
    return 0;
}
