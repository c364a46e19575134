//@ verdict: race-free
//@ about: one of two private variables is written, by a pointer that is chosen at run time
#include <assert.h>
#include <omp.h>
int total;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int a = 0, b = 0, *p = omp_get_thread_num() ? &a : &b;
#pragma omp for
        for (int i = 0; i < 4; i++)
            *p += 1;
#pragma omp atomic
        total += a + b;
    }
    assert(total == 4);
}
