//@ verdict: race
//@ race: a[*] 16 17
//@ about: simd linear: an iteration reads the element that the one before writes
#include <stdio.h>
#define N 300

static int a[2 * N + 2], b[N];

int main(void)
{
    int at = 2;
#pragma omp simd linear(at : 2)
    for (int i = 0; i < N; i++) {
        // The step of the position is 2.
        b[i] =
            a[at - 2];
        a[at] = i;
        at += 2;
    }
    printf("%d %d\n", b[3], at);
    return 0;
}
