// record: race half
// flags: -fopenmp
// Two iterations share an element; one thread gets both, since the other comes late.
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
int half[8];
int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) usleep(100000);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 8; i++) half[i / 2] += i; //!
    }
    printf("%d\n", half[1]);
    return 0;
}
