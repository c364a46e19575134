//@ verdict: defect
//@ defect: abort
//@ about: an exception must not leave the region in which it was thrown
#include <cstdio>

int main()
{
    try {
#pragma omp parallel num_threads(2)
        {
            throw 1;
        }
    } catch (int) {
        std::puts("never");
    }
    return 0;
}
