//@ verdict: race
//@ race: a[*] 12 12
//@ about: for: a descending loop with a dependence
#include <stdio.h>
#define N 100

int main(void)
{
    int a[N + 3] = {0};
#pragma omp parallel for schedule(static)
    for (int i = N - 1; i >= 0; i--)
        a[i] = a[i + 3] + 1;
    printf("%d\n", a[0]);
    return 0;
}
