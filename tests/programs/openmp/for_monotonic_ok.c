//@ verdict: race-free
//@ about: for schedule(monotonic: dynamic): a thread meets its own iterations in ascending order
#include <assert.h>
#define N 6

int main(void)
{
    int bad = 0;
#pragma omp parallel num_threads(2) reduction(+ : bad)
    {
        int last = -1;
#pragma omp for schedule(monotonic : dynamic)
        for (int i = 0; i < N; i++) {
            bad += i <= last;
            last = i;
        }
    }
    assert(bad == 0);
    return 0;
}
