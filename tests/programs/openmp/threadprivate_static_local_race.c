//@ verdict: race
//@ race: last 10 10
//@ race: last 10 11
//@ about: a static local variable is one for all threads
#include <stdio.h>

static int next_id(int step)
{
    static int last;
    last += step;
    return last;
}

int main(void)
{
    int id[100];
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        id[i] = next_id(2);
    printf("%d\n", id[0]);
    return 0;
}
