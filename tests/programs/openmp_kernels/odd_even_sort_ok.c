//@ verdict: race-free
//@ about: odd-even transposition sort
#include <assert.h>
#define N 40

int main(void)
{
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = N - 1 - i;
#pragma omp parallel
    for (int phase = 0; phase < N; phase++) {
#pragma omp for
        for (int i = phase % 2; i < N - 1; i += 2)
            if (v[i] > v[i + 1]) {
                int t = v[i];
                v[i] = v[i + 1];
                v[i + 1] = t;
            }
    }
    for (int i = 0; i < N; i++)
        assert(v[i] == i);
    return 0;
}
