//@ verdict: race-free
//@ races-verdict: race-free
//@ defects-verdict: unknown
//@ about: parallel private: the copy has no value, and the assertion depends on it
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
