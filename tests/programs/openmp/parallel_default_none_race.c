//@ verdict: race
//@ race: last 17 17
//@ about: parallel default(none): listing a variable as shared does not make it safe
#include <stdio.h>
#define N 500

int main(void)
{
    int in[N];
    int last = 0;
    for (int i = 0; i < N; i++)
        in[i] = i;
#pragma omp parallel default(none) shared(in, last)
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            last = in[i];
    }
    printf("%d\n", last);
    return 0;
}
