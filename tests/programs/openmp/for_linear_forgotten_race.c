//@ verdict: race
//@ races: at-least
//@ race: k 16 17
//@ race: k 17 17
//@ may-race: out[*] 16 16
//@ about: for: the second index is shared; two iterations may then also write the same element
#include <stdio.h>
#define N 200

int main(void)
{
    int out[2 * N] = {0};
    int k = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        out[k] = i;
        k += 2;
    }
    printf("%d %d\n", k, out[0]);
    return 0;
}
