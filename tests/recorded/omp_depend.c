// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int main(void) {
    int a = 0, b = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : a)
        a = 1;
#pragma omp task depend(in : a) depend(out : b)
        b = a + 1;
#pragma omp task depend(in : b)
        printf("%d\n", b);
#pragma omp task depend(inout : a)
        a = 3;
    }
    return a != 3;
}
