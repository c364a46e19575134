//@ verdict: race
//@ race: x1 18 22
//@ options: --engine lockset
//@ about: two tasks of one thread that any two threads may do: a race

#include <assert.h>
#include <omp.h>

static int x1 = 0;

int main(void) {
    #pragma omp parallel num_threads(2)
    {
        #pragma omp single
        {
            #pragma omp task
            {
                x1 = x1 + 1;
            }
            #pragma omp task
            {
                x1 = x1 + 1;
            }
        }
    }
    return 0;
}
