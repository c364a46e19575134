//@ verdict: race-free
//@ about: count, sum, sum of squares, minimum and maximum as a reduction over a struct
#include <assert.h>
#define N 600

typedef struct {
    long n, sum, squares, low, high;
} stats;

static void merge(stats *into, const stats *from)
{
    into->n += from->n;
    into->sum += from->sum;
    into->squares += from->squares;
    into->low = from->low < into->low ? from->low : into->low;
    into->high = from->high > into->high ? from->high : into->high;
}

#pragma omp declare reduction(stats : stats : merge(&omp_out, &omp_in)) \
    initializer(omp_priv = (stats){0, 0, 0, 1L << 40, -(1L << 40)})

int main(void)
{
    stats s = {0, 0, 0, 1L << 40, -(1L << 40)};
#pragma omp parallel for reduction(stats : s)
    for (int i = 0; i < N; i++) {
        stats one = {1, i - 50, (i - 50) * (i - 50), i - 50, i - 50};
        merge(&s, &one);
    }
    assert(s.n == N && s.low == -50 && s.high == N - 51);
    assert(s.sum == N * (N - 1) / 2 - 50 * N);
    return 0;
}
