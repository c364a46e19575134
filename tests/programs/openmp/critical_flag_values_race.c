//@ verdict: race
//@ race: x 25 25
//@ about: critical: the flag has the value of whoever came last, and one of the values leads to a race
#include <stdio.h>

int main(void)
{
    int flag = 0, x = 0;
#pragma omp parallel num_threads(2)
#pragma omp sections
    {
#pragma omp section
        {
#pragma omp critical
            flag = 2;
        }
#pragma omp section
        {
#pragma omp critical
            flag = 1;
        }
    }
    if (flag == 2) {
#pragma omp parallel num_threads(2)
        x++;
    }
    printf("%d %d\n", flag, x);
    return 0;
}
