//@ verdict: race
//@ race: round 12 13
//@ about: single in every round of a loop; a fast thread is already in the next one
#include <stdio.h>

int main(void)
{
    int round = 0, seen = 0;
#pragma omp parallel num_threads(2) reduction(+ : seen)
    for (int k = 0; k < 5; k++) {
#pragma omp single
        round++;
        seen += round;
    }
    printf("%d %d\n", round, seen);
    return 0;
}
