//@ verdict: race
//@ race: extra 13 13
//@ about: parallel: the threads from number 1 on share a variable, so a third thread is needed
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int extra = 0;
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() > 0)
            extra++;
    }
    printf("%d\n", extra);
    return 0;
}
