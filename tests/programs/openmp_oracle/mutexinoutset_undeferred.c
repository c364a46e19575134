//@ verdict: race-free
//@ about: tasks with mutexinoutset exclude each other, undeferred ones too

#include <assert.h>
#include <omp.h>

static int x2 = 0;

int main(void) {
    #pragma omp parallel num_threads(2)
    {
        #pragma omp master
        {
            #pragma omp task depend(mutexinoutset : x2)
            {
                x2 = x2 + 1;
            }
            #pragma omp task depend(mutexinoutset : x2) if(0)
            {
                x2 = x2 + 1;
            }
        }
    }
    return 0;
}
