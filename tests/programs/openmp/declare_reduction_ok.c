//@ verdict: race-free
//@ undecided: that the loop keeps the least by the combiner's own function is not seen
//@ about: declare reduction: minimum and its place in a struct
#include <assert.h>
#define N 300

struct least {
    int value, index;
};

static struct least smaller(struct least a, struct least b)
{
    if (a.value != b.value)
        return a.value < b.value ? a : b;
    return a.index < b.index ? a : b;
}

#pragma omp declare reduction(least : struct least : omp_out = smaller(omp_out, omp_in)) \
    initializer(omp_priv = (struct least){1 << 30, 1 << 30})

int main(void)
{
    int v[N];
    struct least best = {1 << 30, 1 << 30};
    for (int i = 0; i < N; i++)
        v[i] = (i * 91 + 17) % N;
#pragma omp parallel for reduction(least : best)
    for (int i = 0; i < N; i++) {
        struct least here = {v[i], i};
        best = smaller(best, here);
    }
    assert(best.value == 0 && v[best.index] == 0);
    return 0;
}
