//@ verdict: race-free
//@ about: the tasks of a final task are included: each is over when its creator goes on
#include <assert.h>
#include <omp.h>
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task final(1)
        {
#pragma omp task
            {
                assert(omp_in_final());
                x = 1;
            }
            x += 1;
#pragma omp task
            x += 1;
            assert(x == 3);
        }
    }
}
