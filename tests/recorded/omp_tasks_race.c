// record: race x
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int x;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        x = 1; //!
#pragma omp task
        x = 2; //!
    }
    return 0;
}
