// record: race x
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int x, y;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1; //!
#pragma omp task depend(in : y)
        printf("%d\n", x); //!
    }
    return 0;
}
