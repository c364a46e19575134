// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int a[64];
int main(void) {
    for (int round = 0; round < 5; round++) {
#pragma omp parallel for num_threads(4)
        for (int i = 0; i < 64; i++) a[i] += round;
        a[0] = 0;
    }
    return 0;
}
