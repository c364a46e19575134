//@ verdict: race-free
//@ about: the greatest element and its place: a private best for each thread, compared under critical
#include <assert.h>
#define N 200

int main(void)
{
    int v[N], best = -1, where = -1;
    for (int i = 0; i < N; i++)
        v[i] = (i * 77 + 5) % 199;
#pragma omp parallel num_threads(2)
    {
        int mine = -1, place = -1;
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            if (v[i] > mine) {
                mine = v[i];
                place = i;
            }
#pragma omp critical
        if (mine > best || (mine == best && place < where)) {
            best = mine;
            where = place;
        }
    }
    assert(best == 198 && v[where] == 198);
    return 0;
}
