//@ verdict: race
//@ race: sum 12 14
//@ about: sections without the reduction: both add to one variable
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        sum += 1;
#pragma omp section
        sum += 2;
    }
    printf("%d\n", sum);
    return 0;
}
