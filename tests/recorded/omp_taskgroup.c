// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int a[8];
int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
            a[i] = i;
        }
        for (int i = 0; i < 8; i++) sum += a[i];
    }
    return sum != 28;
}
