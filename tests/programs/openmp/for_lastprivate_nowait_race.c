//@ verdict: race
//@ race: x 13 19
//@ about: for lastprivate nowait: the thread of the last iteration writes the original; it is read without a barrier
#include <stdio.h>
#define N 300

int main(void)
{
    int x = -1, sum = 0;
    int a[N];
#pragma omp parallel
    {
#pragma omp for lastprivate(x) nowait
        for (int i = 0; i < N; i++) {
            x = i * 3;
            a[i] = x;
        }
#pragma omp atomic
        sum += x;
    }
    printf("%d %d\n", sum, a[0]);
    return 0;
}
