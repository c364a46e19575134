//@ verdict: race-free
//@ about: static, 1: chunks come in increasing order
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 4; i++) {
            assert(i > before);
            before = i;
        }
    }
    return 0;
}
