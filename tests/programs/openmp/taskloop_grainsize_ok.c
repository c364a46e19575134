//@ verdict: race-free
//@ about: taskloop grainsize: each iteration writes an element of its own
#include <assert.h>

int main(void)
{
    int a[4] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < 4; i++)
        a[i] = i + 1;
    assert(a[0] + a[1] + a[2] + a[3] == 10);
    return 0;
}
