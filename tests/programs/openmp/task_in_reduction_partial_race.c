//@ verdict: race
//@ race: x 19 23
//@ about: in_reduction: what a task finds in its copy depends on the tasks before it on the same thread, and steers a write
#include <stdio.h>

int main(void)
{
    int sum = 0, x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int k = 0; k < 2; k++) {
#pragma omp task in_reduction(+ : sum) shared(x)
                {
                    sum += 1;
                    if (sum == 2)
                        x = 1;
                }
            }
#pragma omp task shared(x)
            x = 5;
        }
    }
    printf("%d %d\n", sum, x);
    return 0;
}
