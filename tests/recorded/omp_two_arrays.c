// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
double a[100], b[100];
int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for
        for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp for
        for (int i = 1; i < 100; i++) b[i] = a[i - 1] + 1;
    }
    return b[99] != 99;
}
