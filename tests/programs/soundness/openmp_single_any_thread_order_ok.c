//@ verdict: race-free
//@ about: single: its block is one piece, the barrier at its end keeps the order
#include <assert.h>

int main(void)
{
    int n = 0;
#pragma omp parallel num_threads(2)
    {
        int step = 0;
        for (int k = 0; k < 3; k++) {
#pragma omp single
            {
                assert(n == k);
                n++;
            }
            step++;
        }
        assert(step == 3);
    }
    assert(n == 3);
    return 0;
}
