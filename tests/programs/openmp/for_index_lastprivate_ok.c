//@ verdict: race-free
//@ about: for lastprivate over the loop index itself
#include <assert.h>

int main(void)
{
    int i, v[100];
#pragma omp parallel for lastprivate(i)
    for (i = 0; i < 100; i++)
        v[i] = i;
    assert(i == 100 && v[99] == 99);
    return 0;
}
