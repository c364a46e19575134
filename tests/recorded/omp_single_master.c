// record: race x
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int x;
int main(void) {
#pragma omp parallel num_threads(3)
    {
#pragma omp single nowait
        x = 1; //!
        int seen = x; //!
        (void)*(volatile int *)&seen;
    }
    return 0;
}
