//@ verdict: race
//@ race: s.n 18 18
//@ race: s.sum 19 19
//@ race: s.squares 20 20
//@ about: statistics in a shared struct
#include <stdio.h>
#define N 600

typedef struct {
    long n, sum, squares;
} stats;

int main(void)
{
    stats s = {0, 0, 0};
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        s.n++;
        s.sum += i;
        s.squares += i * i;
    }
    printf("%ld %ld %ld\n", s.n, s.sum, s.squares);
    return 0;
}
