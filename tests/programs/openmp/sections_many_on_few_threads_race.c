//@ verdict: race
//@ race: relay 12 16
//@ about: five sections, two threads: which two share a thread is open
#include <stdio.h>

int main(void)
{
    int relay = 0, a = 0, b = 0, c = 0, got = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        relay = 1;
#pragma omp section
        a = 1;
#pragma omp section
        got = relay;
#pragma omp section
        b = 1;
#pragma omp section
        c = 1;
    }
    printf("%d\n", got + a + b + c);
    return 0;
}
