//@ verdict: race
//@ races: at-least
//@ race: level[*] 22 17
//@ about: breadth-first search by levels: a vertex is marked by several neighbours
#include <stdio.h>
#define N 100

int main(void)
{
    int level[N], changed = 1;
    for (int v = 0; v < N; v++)
        level[v] = v == 0 ? 0 : -1;
    for (int depth = 1; changed; depth++) {
        changed = 0;
#pragma omp parallel for reduction(|| : changed)
        for (int v = 0; v < N; v++) {
            if (level[v] != depth - 1)
                continue;
            int near[3] = {(v * 3 + 1) % N, (v + 1) % N, (v * 7) % N};
            for (int k = 0; k < 3; k++)
                if (level[near[k]] < 0) {
                    level[near[k]] = depth;
                    changed = 1;
                }
        }
    }
    printf("%d\n", level[50]);
    return 0;
}
