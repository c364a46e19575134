//@ verdict: race
//@ race: sum 16 16
//@ about: taskgroup task_reduction, but the tasks lack in_reduction
#include <stdio.h>

int main(void)
{
    int sum = 7;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int i = 0; i < 50; i++) {
#pragma omp task shared(sum)
                sum += i;
            }
        }
    }
    printf("%d\n", sum);
    return 0;
}
