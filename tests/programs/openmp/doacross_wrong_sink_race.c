//@ verdict: race
//@ race: a[*] 14 14
//@ about: ordered(1) with depend(sink: i - 2): the iteration right before is not waited for
#include <stdio.h>
#define N 200

int main(void)
{
    int a[N];
    a[0] = 1;
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 2)
        a[i] = a[i - 1] + i;
#pragma omp ordered depend(source)
    }
    printf("%d\n", a[N - 1]);
    return 0;
}
