//@ verdict: race
//@ race: sorted 15 15
//@ about: is an array sorted: every thread that finds a pair out of order clears one plain flag
#include <stdio.h>
#define N 600

int main(void)
{
    int a[N], sorted = 1;
    for (int i = 0; i < N; i++)
        a[i] = (i * 7) % 600;
#pragma omp parallel for
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i])
            sorted = 0;
    printf("%s\n", sorted ? "sorted" : "not sorted");
    return 0;
}
