//@ verdict: race-free
//@ about: for linear: the second index follows the iteration number
#include <assert.h>
#define N 200

int main(void)
{
    int out[2 * N] = {0};
    int k = 0;
#pragma omp parallel for linear(k : 2)
    for (int i = 0; i < N; i++) {
        out[k] = i;
        k += 2;
    }
    assert(k == 2 * N);
    for (int i = 0; i < N; i++)
        assert(out[2 * i] == i && out[2 * i + 1] == 0);
    return 0;
}
