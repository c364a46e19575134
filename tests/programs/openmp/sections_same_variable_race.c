//@ verdict: race
//@ race: winner 12 14
//@ about: sections: two sections write one variable
#include <stdio.h>

int main(void)
{
    int winner = 0;
#pragma omp parallel sections
    {
#pragma omp section
        winner = 1;
#pragma omp section
        winner = 2;
    }
    printf("%d\n", winner);
    return 0;
}
