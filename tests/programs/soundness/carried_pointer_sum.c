//@ verdict: race-free
//@ about: a pointer to a private variable is what every iteration writes through
#include <assert.h>
int total;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine;
#pragma omp for
        for (int i = 0; i < 4; i++)
            *p += 1;
#pragma omp critical
        total += *p;
    }
    assert(total == 4);
}
