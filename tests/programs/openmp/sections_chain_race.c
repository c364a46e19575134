//@ verdict: race
//@ race: stage[*] 14 17
//@ about: sections: the text order of sections is no order of time, on one thread or on several
#include <stdio.h>
#define N 200

int main(void)
{
    int stage[N] = {0}, out[N];
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < N; i++)
            stage[i] = i;
#pragma omp section
        for (int i = 0; i < N; i++)
            out[i] = stage[i];
    }
    printf("%d\n", out[N - 1]);
    return 0;
}
