//@ verdict: race
//@ race: tmp 15 15
//@ race: tmp 15 16
//@ about: parallel: the temporary should have been private
#include <stdio.h>

int main(void)
{
    int tmp;
    int out[200];
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 200; i++) {
            tmp = i * 2;
            out[i] = tmp + 1;
        }
    }
    printf("%d\n", out[5]);
    return 0;
}
