//@ verdict: unknown
//@ reason: `cancel` with OMP_CANCELLATION=true
//@ reason-line: 14
//@ options: --env OMP_CANCELLATION=true
//@ about: cancellation that the environment switches on: what is still done is up to the schedule
#include <omp.h>

int main(void)
{
    int found = -1;
#pragma omp parallel for
    for (int i = 0; i < 8; i++) {
        if (i == 5) {
#pragma omp cancel for
        }
    }
    return found > 5;
}
