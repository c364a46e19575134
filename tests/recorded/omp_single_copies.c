// record: race shared
// flags: -fopenmp
// Several `single` in a row, one with copies: who executes them decides what the threads do.
#include <omp.h>
#include <stdio.h>
int shared, done;
int main(void) {
#pragma omp parallel num_threads(3)
    {
        int start;
#pragma omp single copyprivate(start)
        start = omp_get_thread_num();
#pragma omp single nowait
        shared = start; //!
#pragma omp single nowait
        shared = start + 1; //!
        int seen = shared; //!
#pragma omp for schedule(guided)
        for (int i = 0; i < 12; i++) {
#pragma omp atomic
            done += seen >= 0;
        }
    }
    printf("%d %d\n", shared > 0, done);
    return 0;
}
