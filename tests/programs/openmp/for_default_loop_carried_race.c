//@ verdict: race
//@ race: a[*] 14 14
//@ about: parallel for: an iteration reads what the next one writes
#include <stdio.h>
#define N 1000

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp parallel for
    for (int i = 0; i < N - 1; i++)
        a[i] = a[i + 1] + 1;
    printf("%d\n", a[N / 2]);
    return 0;
}
