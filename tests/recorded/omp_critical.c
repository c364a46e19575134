// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int main(void) {
    int best = 0;
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < 30; i++) {
#pragma omp critical
        if (i > best) best = i;
    }
    return best != 29;
}
