//@ verdict: race
//@ race: last 13 13
//@ about: taskloop if(true): the tasks are deferred and write one variable
#include <stdio.h>

int main(void)
{
    int last = 0, several = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(2) if (several)
    for (int i = 0; i < 2; i++)
        last = i;
    printf("%d\n", last);
    return 0;
}
