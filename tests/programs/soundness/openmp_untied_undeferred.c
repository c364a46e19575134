//@ verdict: race-free
//@ about: an undeferred task that is untied is over, with all its parts, when its creator goes on
#include <assert.h>
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task untied if (0)
        {
#pragma omp task untied
            x = 1;
#pragma omp taskwait
            x++;
        }
        assert(x == 2);
    }
}
