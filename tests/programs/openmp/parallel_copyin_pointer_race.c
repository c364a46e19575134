//@ verdict: race
//@ race: store[0]|where[0]|*where 16 16
//@ about: parallel copyin: all threads get the same pointer
#include <stdio.h>

static int store[100];
static int *where;
#pragma omp threadprivate(where)

int main(void)
{
    where = store;
#pragma omp parallel copyin(where)
    {
        for (int k = 0; k < 10; k++) {
            *where = k;
        }
    }
    printf("%d\n", store[0]);
    return 0;
}
