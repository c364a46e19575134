//@ verdict: race
//@ race: found 19 19
//@ about: cancel for: two iterations may find something before they notice
#include <stdio.h>
#define N 100

int main(void)
{
    int found = -1;
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = i % 10;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
#pragma omp cancellation point for
            if (v[i] == 4) {
                found = i;
#pragma omp cancel for
            }
        }
    }
    printf("%d\n", found);
    return 0;
}
