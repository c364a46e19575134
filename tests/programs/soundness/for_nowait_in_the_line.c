//@ verdict: race-free
//@ about: of two loops in a macro only the second has nowait: the first one ends with its barrier
#include <assert.h>
int x, b[8];
#define BOTH _Pragma("omp for lastprivate(x)") for (int i = 0; i < 8; i++) x = i; _Pragma("omp for nowait") for (int i = 0; i < 8; i++) b[i] = x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        BOTH
    }
    assert(b[0] == 7 && b[7] == 7);
}
