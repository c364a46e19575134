//@ verdict: race-free
//@ about: an untied task keeps others out until it is complete, also while it is suspended
#include <assert.h>
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task untied depend(mutexinoutset : x)
        {
            int before = x;
#pragma omp taskyield
            assert(x == before);
            x++;
        }
#pragma omp task depend(mutexinoutset : x)
        x++;
#pragma omp taskwait
        assert(x == 2);
    }
}
