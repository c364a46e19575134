//@ verdict: race
//@ race: trail 13 14
//@ about: task final: the final task itself is deferred like any other
#include <stdio.h>

int main(void)
{
    int trail = 0, copy;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(trail) final(1)
        trail = 1;
        copy = trail;
    }
    printf("%d\n", copy);
    return 0;
}
