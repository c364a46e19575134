// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int main(void) {
    double sum = 0;
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < 30; i++) {
#pragma omp atomic
        sum += i;
    }
    return sum != 435;
}
