//@ verdict: race
//@ race: seed 16 16
//@ races: at-least
//@ about: pi by random points: all threads use one seed
#include <stdio.h>
#include <stdlib.h>
#define N 1000

int main(void)
{
    long hits = 0;
    unsigned seed = 1;
#pragma omp parallel for reduction(+ : hits)
    for (int i = 0; i < N; i++) {
        // The state of rand_r is read and written.
        double x = rand_r(&seed) / (double)RAND_MAX, y = 0.5;
        if (x * x + y * y <= 1.0)
            hits++;
    }
    printf("%f\n", 4.0 * hits / N);
    return 0;
}
