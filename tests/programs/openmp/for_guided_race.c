//@ verdict: race
//@ race: peak 17 16
//@ race: peak 17 17
//@ about: for schedule(guided): a maximum without protection
#include <stdio.h>
#define N 300

int main(void)
{
    int v[N];
    int peak = -1;
    for (int i = 0; i < N; i++)
        v[i] = (i * 37) % N;
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++) {
        if (v[i] > peak)
            peak = v[i];
    }
    printf("%d\n", peak);
    return 0;
}
