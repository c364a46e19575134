// record: race best
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int best;
int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
            best = 1; //!
        } else {
#pragma omp critical(two)
            best = 2; //!
        }
    }
    return 0;
}
