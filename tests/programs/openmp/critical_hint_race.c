//@ verdict: race
//@ race: n 13 14
//@ about: critical hint: the reader outside is not protected
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0, seen[100];
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
#pragma omp critical(counted) hint(omp_sync_hint_uncontended)
        n += 3;
        seen[i] = n;
    }
    printf("%d %d\n", n, seen[0]);
    return 0;
}
