//@ verdict: race-free
//@ about: for lastprivate: the value of the last iteration
#include <assert.h>
#define N 300

int main(void)
{
    int x = -1;
    int a[N];
#pragma omp parallel for lastprivate(x)
    for (int i = 0; i < N; i++) {
        x = i * 3;
        a[i] = x;
    }
    assert(x == 3 * (N - 1) && a[5] == 15);
    return 0;
}
