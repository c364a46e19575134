//@ verdict: race
//@ race: count 14 14
//@ about: task depend(inoutset): the members of the set do not exclude each other
#include <stdio.h>
#define N 30

int main(void)
{
    int count = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task depend(inoutset : count) shared(count)
        count++;
    }
    printf("%d\n", count);
    return 0;
}
