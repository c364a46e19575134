//@ verdict: race-free
//@ about: task mergeable: undeferred, so it may share its creator's data environment
#include <assert.h>

int main(void)
{
    int v[100];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task mergeable if (0) shared(v)
        v[i] = 2 * i;
        v[i] += 1;
    }
    for (int i = 0; i < 100; i++)
        assert(v[i] == 2 * i + 1);
    return 0;
}
