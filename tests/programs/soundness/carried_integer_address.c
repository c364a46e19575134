//@ verdict: race-free
//@ about: the address of a private variable goes through an integer
#include <assert.h>
#include <stdint.h>
int total;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
        uintptr_t bits = (uintptr_t)&mine;
#pragma omp for
        for (int i = 0; i < 4; i++)
            *(int *)bits += 1;
#pragma omp atomic
        total += mine;
    }
    assert(total == 4);
}
