//@ verdict: race
//@ race: latest 16 14
//@ race: latest 14 14
//@ about: atomic read against a plain write
#include <stdio.h>

int main(void)
{
    int latest = 0;
    int seen[100];
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        int v;
        latest = i;
#pragma omp atomic read
        v = latest;
        seen[i] = v;
    }
    printf("%d\n", seen[0]);
    return 0;
}
