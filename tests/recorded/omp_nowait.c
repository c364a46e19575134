// record: race a[
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
double a[101], b[101];
int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait
        for (int i = 0; i < 100; i++) a[i] = i; //!
#pragma omp for
        for (int i = 0; i < 100; i++) b[i] = a[99 - i] + 1; //!
    }
    return 0;
}
