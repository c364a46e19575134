//@ verdict: defect
//@ defect: assertion 14
//@ about: without a clause all iterations may be one task, with one firstprivate copy
#include <assert.h>

int main(void)
{
    int f = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop firstprivate(f)
    for (int i = 0; i < 3; i++) {
        f++;
        assert(f < 3);
    }
}
