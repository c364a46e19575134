//@ verdict: race-free
//@ about: for ordered: the blocks run in the order of the iterations
#include <assert.h>
#define N 100

int main(void)
{
    int log_[N], n = 0;
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < N; i++) {
        int v = i * i;
#pragma omp ordered
        log_[n++] = v;
    }
    assert(n == N);
    for (int i = 0; i < N; i++)
        assert(log_[i] == i * i);
    return 0;
}
