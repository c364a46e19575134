//@ verdict: race-free
//@ about: parallel: a variable declared inside the region belongs to each thread
#include <assert.h>

int main(void)
{
    int bad = 0;
#pragma omp parallel
    {
        int hits = 0;
        for (int k = 0; k < 100; k++)
            hits++;
        if (hits != 100) {
#pragma omp atomic write
            bad = 1;
        }
    }
    assert(bad == 0);
    return 0;
}
