//@ verdict: race
//@ race: count 16 16
//@ about: for: only a few of a thousand iterations touch the shared variable
#include <stdio.h>
#define N 1000

int main(void)
{
    static int v[N];
    int count = 0;
    for (int i = 0; i < N; i++)
        v[i] = i * i % 1000;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (v[i] == 444)
            count++;
    printf("%d\n", count);
    return 0;
}
