//@ verdict: race
//@ race: carry 14 16
//@ about: for schedule(dynamic): any two iterations may fall on different threads
#include <stdio.h>
#define N 100

int main(void)
{
    int carry = 0;
    int got = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++) {
        if (i == 40)
            carry = 5;
        if (i == 41)
            got = carry;
    }
    printf("%d\n", got);
    return 0;
}
