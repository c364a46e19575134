//@ verdict: defect
//@ defect: assertion 14
//@ about: nonmonotonic static: the mapping is fixed, the order of chunks is not
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(nonmonotonic : static, 1)
        for (int i = 0; i < 4; i++) {
            // Who executes an iteration is fixed, in which order is not.
            assert(i > before);
            before = i;
        }
    }
    return 0;
}
