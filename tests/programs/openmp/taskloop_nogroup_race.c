//@ verdict: race
//@ race: a[*] 15 16
//@ about: taskloop nogroup: nothing is waited for
#include <stdio.h>
#define N 200

int main(void)
{
    int a[N] = {0}, last = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup
        for (int i = 0; i < N; i++)
            a[i] = i;
        last = a[N - 1];
    }
    printf("%d\n", last);
    return 0;
}
