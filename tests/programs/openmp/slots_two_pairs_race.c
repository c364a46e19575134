//@ verdict: race
//@ race: x 15 17
//@ about: two accesses that only a distribution shows which is no rotation
#include <omp.h>
#include <stdio.h>

static int x;

int main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int i = 0; i < 2; i++) {
        int me = omp_get_thread_num();
        if (i == 0 && me == 0)
            x = 1;
        if (i == 1 && me == 2)
            x = 2;
    }
    printf("%d\n", x);
    return 0;
}
