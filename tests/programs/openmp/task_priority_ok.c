//@ verdict: race-free
//@ about: task priority with independent tasks
#include <assert.h>

int main(void)
{
    int v[50];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task priority(i)
        v[i] = -i;
    }
    for (int i = 0; i < 50; i++)
        assert(v[i] == -i);
    return 0;
}
