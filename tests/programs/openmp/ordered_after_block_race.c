//@ verdict: race
//@ race: a[*] 15 16
//@ about: for ordered: what follows the block of one iteration is not ordered before the next one's
#include <stdio.h>
#define N 100

int main(void)
{
    int a[N], b[N];
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        {
        }
        a[i] = 3 * i;
        b[i] = i > 0 ? a[i - 1] : 0;
    }
    printf("%d\n", b[3]);
    return 0;
}
