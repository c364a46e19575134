//@ verdict: race
//@ race: total 14 14
//@ about: single firstprivate copies the pointer, not what it points to: two blocks write one variable
#include <stdio.h>

int main(void)
{
    int total = 0;
    int *p = &total;
#pragma omp parallel num_threads(2)
    for (int round = 0; round < 2; round++) {
#pragma omp single firstprivate(p) nowait
        {
            *p += 1;
        }
    }
    printf("%d\n", total);
    return 0;
}
