//@ verdict: race-free
//@ about: single in every round of a loop, with its barrier before the next use
#include <assert.h>

int main(void)
{
    int round = 0, seen = 0;
#pragma omp parallel num_threads(2) reduction(+ : seen)
    for (int k = 0; k < 5; k++) {
#pragma omp single
        round++;
        seen += round;
#pragma omp barrier
    }
    assert(round == 5 && seen == 30);
    return 0;
}
