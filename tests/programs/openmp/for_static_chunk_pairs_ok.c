//@ verdict: race-free
//@ about: for schedule(static, 2): the two iterations of a pair always fall on one thread
#include <assert.h>
#define N 200

int main(void)
{
    int a[N];
#pragma omp parallel for schedule(static, 2)
    for (int i = 0; i < N; i++) {
        if (i % 2 == 0)
            a[i] = i;
        else
            a[i] = a[i - 1] + 1;
    }
    for (int i = 0; i < N; i++)
        assert(a[i] == i);
    return 0;
}
