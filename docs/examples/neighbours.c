// Two neighbouring iterations use one variable: a race, unless one thread executes both.
#include <stdio.h>
#define N 100

int main(void)
{
    int carry = 0, got = 0;
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
