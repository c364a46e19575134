//@ verdict: race-free
//@ about: atomic read and atomic write of one variable
#include <stdio.h>

int main(void)
{
    int latest = 0;
    int seen[100];
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        int v;
#pragma omp atomic write
        latest = i;
#pragma omp atomic read
        v = latest;
        seen[i] = v;
    }
    printf("%d %d\n", latest, seen[0]);
    return 0;
}
