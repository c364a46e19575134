//@ verdict: race
//@ race: early 13 19
//@ about: taskgroup: a task created before the group is not part of it
#include <stdio.h>

int main(void)
{
    int early = 0, late = 0, got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(early)
        early = 1;
#pragma omp taskgroup
        {
#pragma omp task shared(late)
            late = 1;
        }
        got = early + late;
    }
    printf("%d\n", got);
    return 0;
}
