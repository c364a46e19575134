//@ verdict: race-free
//@ about: the taskwait of an untied task stands in a function that it calls
#include <assert.h>
int a, b;

static void wait_for_it(void)
{
#pragma omp taskwait
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task untied
        {
#pragma omp task untied
            a = 1;
            wait_for_it();
            assert(a == 1);
        }
#pragma omp task untied
        {
#pragma omp task untied
            b = 1;
            wait_for_it();
            assert(b == 1);
        }
    }
}
