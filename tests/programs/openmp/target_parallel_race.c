//@ verdict: race
//@ race: total 12 12
//@ about: target parallel for: a mapped scalar is shared by the team
#include <stdio.h>
#define N 100

int main(void)
{
    int total = 0;
#pragma omp target parallel for map(tofrom : total)
    for (int i = 0; i < N; i++)
        total += i;
    printf("%d\n", total);
    return 0;
}
