//@ verdict: race-free
//@ flags: -fopenmp
//@ about: which index wins depends on the order, but nothing else depends on it
#include <stdio.h>
#define N 300
static int a[N];
int main(void)
{
    int max = -1, where = -1;
    for (int i = 0; i < N; i++)
        a[i] = (i * 7) % 50;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp critical
        if (a[i] > max) {
            max = a[i];
            where = i;
        }
    }
    printf("%d at %d\n", max, where);
    return 0;
}
