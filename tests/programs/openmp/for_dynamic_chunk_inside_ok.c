//@ verdict: race-free
//@ about: for schedule(dynamic, 4): a chunk of four consecutive iterations stays on one thread
#include <assert.h>
#define N 200

int main(void)
{
    int a[N];
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < N; i++) {
        if (i % 4 == 0)
            a[i] = i;
        else
            a[i] = a[i - 1] + 1;
    }
    for (int i = 0; i < N; i++)
        assert(a[i] == i);
    return 0;
}
