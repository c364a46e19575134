//@ verdict: race
//@ race: a[*] 15 15
//@ about: ordered(1): the source is given before the write
#include <stdio.h>
#define N 200

int main(void)
{
    int a[N];
    a[0] = 1;
#pragma omp parallel for ordered(1)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
        a[i] = a[i - 1] + i;
    }
    printf("%d\n", a[N - 1]);
    return 0;
}
