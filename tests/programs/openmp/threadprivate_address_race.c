//@ verdict: race
//@ race: box|*door 20 21
//@ about: threadprivate: the master gives away the address of its copy
#include <stdio.h>

static int box;
#pragma omp threadprivate(box)
static int *door;

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2)
    {
        box = 0;
#pragma omp master
        door = &box;
#pragma omp barrier
#pragma omp master
        box = 5;
        int v = *door;
#pragma omp atomic
        sum += v;
    }
    printf("%d\n", sum);
    return 0;
}
