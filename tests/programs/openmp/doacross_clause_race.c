//@ verdict: race
//@ race: a[*] 15 15
//@ flags: -fopenmp-version=52
//@ about: the doacross clause of OpenMP 5.2: one of two needed dependences is missing
#include <stdio.h>
#define N 150

int main(void)
{
    int a[N];
    a[0] = a[1] = a[2] = 1;
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 3; i < N; i++) {
#pragma omp ordered doacross(sink : i - 3)
        a[i] = a[i - 3] + a[i - 2];
#pragma omp ordered doacross(source :)
    }
    printf("%d\n", a[N - 1]);
    return 0;
}
