// record: race x
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int x;
int main(void) {
    int r = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        x = 1; //!
        r = x; //!
    }
    return r > 1;
}
