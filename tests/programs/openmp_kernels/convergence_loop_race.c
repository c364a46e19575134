//@ verdict: race
//@ races: at-least
//@ race: change 17 24
//@ about: an iteration with a stopping test: one thread resets the value that another has not yet read
#include <stdio.h>
#define N 100

int main(void)
{
    int v[N], change = 1;
    for (int i = 0; i < N; i++)
        v[i] = i % 16;
#pragma omp parallel
    {
        for (int round = 0; round < 4; round++) {
#pragma omp single
            change = 0;
#pragma omp for reduction(+ : change)
            for (int i = 0; i < N; i++)
                if (v[i] > 0) {
                    v[i] /= 2;
                    change++;
                }
            int left = change;
            v[0] = left < 0 ? 1 : v[0];
        }
    }
    printf("%d\n", change);
    return 0;
}
