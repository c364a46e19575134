//@ verdict: race
//@ race: stock 15 18
//@ about: critical: the unnamed critical is another lock than a named one
#include <stdio.h>

static int stock = 1000;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        {
#pragma omp critical
            stock -= 10;
        }
#pragma omp critical(stock)
        stock += 1;
    }
    printf("%d\n", stock);
    return 0;
}
