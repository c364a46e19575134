//@ verdict: race-free
//@ about: sections with reduction, private, firstprivate and lastprivate
#include <assert.h>

int main(void)
{
    int sum = 1, tag = 0, base = 10, t = 0;
#pragma omp parallel sections reduction(+ : sum) lastprivate(tag) firstprivate(base) private(t)
    {
#pragma omp section
        {
            t = base + 1;
            sum += t;
            tag = 1;
        }
#pragma omp section
        {
            t = base + 2;
            sum += t;
            tag = 2;
        }
    }
    assert(sum == 24 && tag == 2 && base == 10);
    return 0;
}
