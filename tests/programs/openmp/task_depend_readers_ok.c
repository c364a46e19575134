//@ verdict: race-free
//@ about: task depend: one writer, many readers, one writer
#include <assert.h>
#define N 40

int main(void)
{
    int src = 0, got[N], after = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : src) shared(src)
        src = 6;
        for (int i = 0; i < N; i++) {
#pragma omp task depend(in : src) shared(src)
            got[i] = src + i;
        }
#pragma omp task depend(inout : src) shared(src, after)
        {
            src = 0;
            after = 1;
        }
    }
    for (int i = 0; i < N; i++)
        assert(got[i] == 6 + i);
    assert(src == 0 && after == 1);
    return 0;
}
