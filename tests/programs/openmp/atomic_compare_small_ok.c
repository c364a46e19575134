//@ verdict: race-free
//@ about: atomic compare: minimum, maximum and compare-and-swap, with the results checked
#include <assert.h>
#define N 4

int main(void)
{
    int low = 1 << 20, high = -1, first = -1;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++) {
        int v = (i * 3) % N;
#pragma omp atomic compare
        if (v < low) {
            low = v;
        }
#pragma omp atomic compare
        if (v > high) {
            high = v;
        }
#pragma omp atomic compare
        if (first == -1) {
            first = v;
        }
    }
    assert(low == 0 && high == N - 1);
    assert(first >= 0 && first < N);
    return 0;
}
