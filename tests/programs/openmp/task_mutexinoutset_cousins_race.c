//@ verdict: race
//@ race: x 16 16
//@ about: mutexinoutset excludes siblings only, not tasks of different parents
#include <stdio.h>

int main(void)
{
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task
        {
#pragma omp task depend(mutexinoutset : x)
            {
                x = x + 1;
            }
        }
    }
    printf("%d\n", x);
    return 0;
}
