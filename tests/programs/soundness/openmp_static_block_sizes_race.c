//@ verdict: race
//@ race: x[*] 16 19
//@ about: static: the sizes of blocks are approximately equal, not told
#include <omp.h>
#include <stdio.h>

static int x[5];

int main(void)
{
    int y = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 5; i++)
            x[i] = i;
        // The first thread has two iterations or three.
        if (omp_get_thread_num() == 0)
            y = x[2];
    }
    printf("%d\n", y);
    return 0;
}
