//@ verdict: race-free
//@ about: prefix sum by doubling the distance, from one buffer to the other
#include <assert.h>
#define N 256

int main(void)
{
    int buf[2][N], src = 0;
    for (int i = 0; i < N; i++)
        buf[0][i] = 1;
    for (int gap = 1; gap < N; gap *= 2) {
        int dst = 1 - src;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            buf[dst][i] = buf[src][i] + (i >= gap ? buf[src][i - gap] : 0);
        src = dst;
    }
    for (int i = 0; i < N; i++)
        assert(buf[src][i] == i + 1);
    return 0;
}
