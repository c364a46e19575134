//@ verdict: race
//@ options: --distributions default
//@ race: carry 14 16
//@ about: --distributions default: neighbours on both sides of the boundary between two blocks
#include <stdio.h>
#define N 100

int main(void)
{
    int carry = 0, got = 0;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++) {
        if (i == 49)
            carry = 5;
        if (i == 50)
            got = carry;
    }
    printf("%d\n", got);
    return 0;
}
