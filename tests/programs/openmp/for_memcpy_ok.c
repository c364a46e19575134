//@ verdict: race-free
//@ about: for: memset and memcpy of separate blocks
#include <assert.h>
#include <string.h>
#define N 100

int main(void)
{
    int line[N * 4], src[4] = {1, 2, 3, 4};
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        memset(&line[i * 4], 0, 4 * sizeof(int));
        memcpy(&line[i * 4], src, 3 * sizeof(int));
    }
    for (int i = 0; i < N * 4; i++)
        assert(line[i] == (i % 4 == 3 ? 0 : i % 4 + 1));
    return 0;
}
