//@ verdict: race
//@ race: x 17 17
//@ about: dynamic, 2: an object of the thread on the heap shows that a chunk came before an earlier one
#include <stdlib.h>

static int x;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int *before = malloc(sizeof *before);
        *before = -1;
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 8; i++) {
            if (*before > i)
                x++;
            *before = i;
        }
        free(before);
    }
    return x > 9;
}
