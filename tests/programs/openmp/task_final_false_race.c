//@ verdict: race
//@ race: trail 15 16
//@ about: task final with a false condition: the children are ordinary tasks
#include <stdio.h>

int main(void)
{
    int trail = 0, limit = 10, depth = 3;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(trail) final(depth > limit)
        {
#pragma omp task shared(trail)
            trail = 2;
            trail = 3;
        }
    }
    printf("%d\n", trail);
    return 0;
}
