//@ verdict: race
//@ race: n 18 18
//@ may-race: out[*] 18 18
//@ races: at-least
//@ about: three stages in one loop; the last one runs after the source was given
#include <stdio.h>
#define N 60

int main(void)
{
    int in = 0, out[N + 1], n = 0;
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
        int item;
#pragma omp ordered depend(sink : i - 1)
        item = in++;
#pragma omp ordered depend(source)
        out[n++] = item * item;
    }
    printf("%d\n", out[0]);
    return 0;
}
