//@ verdict: race-free
//@ about: what the sections of a thread have counted is the number of sections, whoever ran them
#include <assert.h>
int total;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine;
#pragma omp sections
        {
#pragma omp section
            *p += 1;
#pragma omp section
            *p += 10;
#pragma omp section
            *p += 100;
        }
#pragma omp atomic
        total += mine;
    }
    assert(total == 111);
}
