//@ verdict: race
//@ race: calls 10 10
//@ about: a file-scope variable without threadprivate
#include <stdio.h>

static int calls;

static void work(int *cell)
{
    calls++;
    *cell = 1;
}

int main(void)
{
    int cell[300] = {0};
#pragma omp parallel for
    for (int i = 0; i < 300; i++)
        work(&cell[i]);
    printf("%d\n", calls);
    return 0;
}
