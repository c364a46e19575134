//@ verdict: race
//@ race: a[*] 12 12
//@ about: for schedule(static): blocks meet at their ends
#include <stdio.h>
#define N 120

int main(void)
{
    int a[N + 1] = {0};
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        a[i + 1] = a[i] + 1;
    printf("%d\n", a[N]);
    return 0;
}
