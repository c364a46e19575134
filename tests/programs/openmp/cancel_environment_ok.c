//@ verdict: race-free
//@ options: --env OMP_CANCELLATION=true
//@ about: cancellation is switched on, but nothing is cancelled
#include <assert.h>
#include <omp.h>

int main(void)
{
    int sum = 0;
    assert(omp_get_cancellation());
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 8; i++) {
        if (i > 100) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
        sum += i;
    }
    assert(sum == 28);
    return 0;
}
