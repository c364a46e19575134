//@ verdict: race-free
//@ about: three stages in one loop: read and write in order, the work between at once
#include <assert.h>
#define N 60

int main(void)
{
    int in = 0, out[N], n = 0;
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
        int item;
#pragma omp ordered depend(sink : i - 1)
        item = in++;
        out[n++] = item * item;
#pragma omp ordered depend(source)
    }
    for (int i = 0; i < N; i++)
        assert(out[i] == i * i);
    return 0;
}
