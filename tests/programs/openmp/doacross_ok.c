//@ verdict: race-free
//@ about: ordered(1) with depend(sink: i - 1): each iteration waits for the one before
#include <assert.h>
#define N 200

int main(void)
{
    int a[N];
    a[0] = 1;
#pragma omp parallel for ordered(1)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        a[i] = a[i - 1] + i;
#pragma omp ordered depend(source)
    }
    assert(a[N - 1] == 1 + N * (N - 1) / 2);
    return 0;
}
