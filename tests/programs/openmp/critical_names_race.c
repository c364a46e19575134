//@ verdict: race
//@ race: level 14 19
//@ about: critical: two names exclude nothing from each other
#include <stdio.h>

int main(void)
{
    int level = 0;
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < 100; i++) {
#pragma omp critical(upward)
            level++;
        }
#pragma omp section
        for (int i = 0; i < 100; i++) {
#pragma omp critical(downward)
            level--;
        }
    }
    printf("%d\n", level);
    return 0;
}
