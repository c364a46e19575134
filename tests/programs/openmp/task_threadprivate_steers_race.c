//@ verdict: race
//@ race: last 16 16
//@ about: a count of tasks in a threadprivate variable decides who writes
#include <stdio.h>

static int done, last;
#pragma omp threadprivate(done)

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task
        if (++done == 2)
            last = i;
    }
    printf("%d\n", last);
    return 0;
}
