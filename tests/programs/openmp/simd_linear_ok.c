//@ verdict: race-free
//@ about: simd linear: a position that goes on by two with every iteration
#include <assert.h>
#define N 300

static int a[2 * N], b[N];

int main(void)
{
    int at = 0;
#pragma omp simd linear(at : 2)
    for (int i = 0; i < N; i++) {
        a[at] = i;
        b[i] = a[at] + 1;
        at += 2;
    }
    assert(at == 2 * N);
    for (int i = 0; i < N; i++)
        assert(a[2 * i] == i && b[i] == i + 1);
    return 0;
}
