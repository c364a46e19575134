// record: race a[
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
double a[100];
int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 1; i < 100; i++) a[i] = a[i - 1] + 1; //!
    return 0;
}
