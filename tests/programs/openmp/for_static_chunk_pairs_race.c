//@ verdict: race
//@ race: a[*] 13 15
//@ about: for schedule(static, 3): some pairs are split between two chunks
#include <stdio.h>
#define N 200

int main(void)
{
    int a[N];
#pragma omp parallel for schedule(static, 3)
    for (int i = 0; i < N; i++) {
        if (i % 2 == 0)
            a[i] = i;
        else
            a[i] = a[i - 1] + 1;
    }
    printf("%d\n", a[N - 1]);
    return 0;
}
