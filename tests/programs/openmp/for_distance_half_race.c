//@ verdict: race
//@ race: a[*] 12 12
//@ about: for: the second half reads what the first half writes
#include <stdio.h>
#define N 200

int main(void)
{
    int a[N] = {0};
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = i < N / 2 ? i : a[i - N / 2];
    printf("%d\n", a[N - 1]);
    return 0;
}
