//@ verdict: race
//@ race: cell 15 24
//@ about: P1 section 3.4: a signal in a seq_cst atomic, sent before the write
#include <stdio.h>

int main(void)
{
    int cell = 0, flag = 0;
#pragma omp parallel sections shared(cell, flag) num_threads(2)
    {
#pragma omp section
        {
#pragma omp atomic write seq_cst
            flag = 1;
            cell = 1;
        }
#pragma omp section
        {
            int go = 0;
            while (!go) {
#pragma omp atomic read seq_cst
                go = flag;
            }
            cell = cell * 10 + 2;
        }
    }
    printf("%d\n", cell);
    return 0;
}
