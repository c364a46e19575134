//@ verdict: defect
//@ defect: assertion 12
//@ about: parallel private: the copy has no value, so the assertion on it may fail
//@ flags: -Wno-uninitialized
#include <assert.h>

int main(void)
{
    int start = 10;
#pragma omp parallel private(start) num_threads(2)
    {
        assert(start == 10);
    }
    return 0;
}
