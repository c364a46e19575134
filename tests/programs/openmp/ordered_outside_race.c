//@ verdict: race
//@ race: n 13 15
//@ about: for ordered: the counter is also read outside the ordered block
#include <stdio.h>
#define N 100

int main(void)
{
    int n = 0;
    int early[N];
#pragma omp parallel for ordered
    for (int i = 0; i < N; i++) {
        early[i] = n;
#pragma omp ordered
        n += i;
    }
    printf("%d %d\n", n, early[0]);
    return 0;
}
