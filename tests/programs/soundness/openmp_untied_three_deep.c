//@ verdict: race-free
//@ about: untied tasks wait for untied and tied children
#include <assert.h>
int a, b, c;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task untied
    {
#pragma omp task untied
        {
#pragma omp task
            c = 1;
#pragma omp taskwait
            b = c + 1;
        }
#pragma omp taskwait
        a = b + 1;
        assert(a == 3);
    }
}
