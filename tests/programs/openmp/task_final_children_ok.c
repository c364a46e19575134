//@ verdict: race-free
//@ about: task final: its children are included, each runs before the next statement
#include <assert.h>
#include <omp.h>

int main(void)
{
    int trail = 0, in_final = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(trail, in_final) final(1)
        {
            in_final = omp_in_final();
            trail = 1;
#pragma omp task shared(trail)
            trail = trail * 10 + 2;
            trail = trail * 10 + 3;
#pragma omp task shared(trail)
            trail = trail * 10 + 4;
        }
    }
    assert(in_final && trail == 1234);
    return 0;
}
