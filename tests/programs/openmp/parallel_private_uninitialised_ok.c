//@ verdict: race-free
//@ about: parallel private: the copies start without a value; adding one up is no race (nothing depends on it)
#include <stdio.h>

int main(void)
{
    int start = 10;
    int out[100] = {0};
#pragma omp parallel private(start)
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            out[i] = start + i;
    }
    printf("%d\n", start);
    return 0;
}
