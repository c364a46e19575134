//@ verdict: race
//@ race: x 13 13
//@ about: tasks that different iterations create need not be siblings, so depend does not order them
#include <stdio.h>

int main(void)
{
    int x = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
#pragma omp task shared(x) depend(inout : x)
        {
            x = x + 1;
        }
    }
    printf("%d\n", x);
    return 0;
}
