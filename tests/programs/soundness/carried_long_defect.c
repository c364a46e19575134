//@ verdict: defect
//@ defect: assertion 13
//@ about: how many iterations a thread gets is open: one thread may get both
#include <assert.h>
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        long long sum = 0, *p = &sum;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 2; i++)
            *p += 1LL << 32;
        assert(*p == 1LL << 32);
    }
}
