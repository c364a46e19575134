//@ verdict: race-free
//@ about: the untied tasks of a final task are included, with all their parts
#include <assert.h>
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task final(1) untied
        {
#pragma omp task untied
            {
                x = 1;
#pragma omp taskyield
                x = 2;
            }
            assert(x == 2);
#pragma omp taskwait
            x++;
        }
#pragma omp taskwait
        assert(x == 3);
    }
}
