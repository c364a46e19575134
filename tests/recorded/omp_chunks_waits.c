// record: free
// flags: -fopenmp
// Two iterations share an element, but nobody else comes to the loop before one thread has executed all of it.
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
int half[8];
atomic_int done;
int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            while (!done) {}
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 8; i++) half[i / 2] += i;
        done = 1;
    }
    printf("%d\n", half[1]);
    return 0;
}
