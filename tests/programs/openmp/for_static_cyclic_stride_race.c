//@ verdict: race
//@ race: a[*] 12 12
//@ about: for schedule(static, 1) with three threads: a stride of two crosses threads
#include <stdio.h>
#define N 100

int main(void)
{
    int a[N + 2] = {1, 1};
#pragma omp parallel for schedule(static, 1) num_threads(3)
    for (int i = 0; i < N; i++)
        a[i + 2] = a[i] + 1;
    printf("%d\n", a[N]);
    return 0;
}
