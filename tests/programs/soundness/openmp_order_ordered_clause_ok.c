//@ verdict: race-free
//@ about: dynamic with ordered: as if monotonic
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(dynamic) ordered
        for (int i = 0; i < 4; i++) {
            assert(i > before);
            before = i;
#pragma omp ordered
            {
            }
        }
    }
    return 0;
}
