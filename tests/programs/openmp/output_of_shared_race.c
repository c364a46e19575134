//@ verdict: race
//@ race: last 11 11
//@ about: printf in a loop that prints a shared variable and then writes it
#include <stdio.h>

int main(void)
{
    int last = 0;
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        printf("%d after %d\n", i, last), last = i;
    }
    return last != 99;
}
