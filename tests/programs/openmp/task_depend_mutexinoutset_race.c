//@ verdict: race
//@ race: total 13 15
//@ about: task depend(mutexinoutset) on another variable than its sibling's
#include <stdio.h>

int main(void)
{
    int total = 0, left = 0, right = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(mutexinoutset : left) shared(total, left)
        total += 1;
#pragma omp task depend(mutexinoutset : right) shared(total, right)
        total += 2;
    }
    printf("%d %d %d\n", total, left, right);
    return 0;
}
