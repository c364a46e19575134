//@ verdict: race
//@ race: buf[*] 15 15
//@ about: prefix sum by doubling the distance, in place
#include <stdio.h>
#define N 256

int main(void)
{
    int buf[N];
    for (int i = 0; i < N; i++)
        buf[i] = 1;
    for (int gap = 1; gap < N; gap *= 2) {
#pragma omp parallel for
        for (int i = gap; i < N; i++)
            buf[i] += buf[i - gap];
    }
    printf("%d\n", buf[N - 1]);
    return 0;
}
