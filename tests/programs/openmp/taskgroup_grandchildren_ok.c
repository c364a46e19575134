//@ verdict: race-free
//@ about: taskgroup: it waits for all descendants
#include <assert.h>

int main(void)
{
    int leaf = 0, got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task shared(leaf)
            {
#pragma omp task shared(leaf)
                leaf = 1;
            }
        }
        got = leaf;
    }
    assert(got == 1);
    return 0;
}
