//@ verdict: race-free
//@ about: breadth-first search by levels: every vertex looks at its neighbours' level of the step before
#include <assert.h>
#define N 100

int main(void)
{
    int level[2][N], src = 0, changed = 1;
    for (int v = 0; v < N; v++)
        level[0][v] = level[1][v] = v == 0 ? 0 : -1;
    for (int depth = 1; changed; depth++) {
        int dst = 1 - src;
        changed = 0;
#pragma omp parallel for reduction(|| : changed)
        for (int v = 0; v < N; v++) {
            level[dst][v] = level[src][v];
            int near[2] = {v / 2, (v * 2) % N};
            for (int k = 0; k < 2; k++)
                if (level[dst][v] < 0 && level[src][near[k]] == depth - 1) {
                    level[dst][v] = depth;
                    changed = 1;
                }
        }
        src = dst;
    }
    assert(level[src][1] == 1 && level[src][64] == 6);
    return 0;
}
