//@ verdict: race-free
//@ about: P1 section 3.4: a signal in a seq_cst atomic (figure 4, left, two sections)
#include <assert.h>

int main(void)
{
    int cell = 0, flag = 0;
#pragma omp parallel sections shared(cell, flag) num_threads(2)
    {
#pragma omp section
        {
            cell = 1;
#pragma omp atomic write seq_cst
            flag = 1;
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
    assert(cell == 12);
    return 0;
}
