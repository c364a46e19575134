//@ verdict: race-free
//@ about: a loop with lastprivate and nowait, and a barrier of its own, all from one macro
#include <assert.h>
int x, b[2];
#define LAST _Pragma("omp for lastprivate(x) nowait") for (int i = 0; i < 8; i++) x = i; _Pragma("omp barrier")
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        LAST
#pragma omp for
        for (int i = 0; i < 2; i++)
            b[i] = x;
    }
    assert(b[0] == 7 && b[1] == 7);
}
