//@ verdict: race
//@ race: x 14 14
//@ about: mutexinoutset orders siblings only: tasks of different parents do not exclude each other
#include <stdio.h>

static int x;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp task depend(mutexinoutset : x)
        {
            x = x + 1;
        }
    }
    printf("%d\n", x);
    return 0;
}
