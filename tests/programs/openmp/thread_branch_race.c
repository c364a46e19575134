//@ verdict: race
//@ race: stamp 13 15
//@ about: parallel: two threads do different things to one variable
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int stamp = 0, copy = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            stamp = 1;
        else
            copy = stamp;
    }
    printf("%d\n", copy);
    return 0;
}
