//@ verdict: race
//@ race: carry 13 15
//@ about: for order(concurrent): even two iterations of one block may run together
#include <stdio.h>
#define N 100

int main(void)
{
    int carry = 0, got = 0;
#pragma omp parallel for schedule(static) order(concurrent) num_threads(2)
    for (int i = 0; i < N; i++) {
        if (i == 10)
            carry = 5;
        if (i == 11)
            got = carry;
    }
    printf("%d\n", got);
    return 0;
}
