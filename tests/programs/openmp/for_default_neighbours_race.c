//@ verdict: race
//@ race: carry 14 16
//@ about: for without schedule: two neighbours in the middle of a block conflict; only some distributions part them
#include <stdio.h>
#define N 100

int main(void)
{
    int carry = 0;
    int got = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        if (i == 10)
            carry = 5;
        if (i == 11)
            got = carry;
    }
    printf("%d\n", got);
    return 0;
}
