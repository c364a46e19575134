//@ verdict: defect
//@ defect: assertion 16
//@ about: auto: a threadprivate variable shows the order of iterations
#include <assert.h>

static int before;
#pragma omp threadprivate(before)

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        before = -1;
#pragma omp for schedule(auto)
        for (int i = 0; i < 3; i++) {
            assert(i > before);
            before = i;
        }
    }
    return 0;
}
