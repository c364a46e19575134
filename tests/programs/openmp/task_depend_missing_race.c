//@ verdict: race
//@ race: a[*] 14 16
//@ about: task depend: the reader names another variable
#include <stdio.h>
#define N 50

int main(void)
{
    int a[N], b[N];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task depend(out : a[i])
        a[i] = i + 1;
#pragma omp task depend(out : b[i])
        b[i] = 2 * a[i];
    }
    printf("%d\n", b[0]);
    return 0;
}
