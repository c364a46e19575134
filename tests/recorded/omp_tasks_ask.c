// record: race shared
// flags: -fopenmp
// Tasks that ask for their thread and share what does not depend on it; one thread executes both.
#include <omp.h>
#include <stdio.h>
int slots[4], shared;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task
        {
            slots[omp_get_thread_num()] += i;
            shared = i; //!
        }
    }
    printf("%d\n", slots[0] + slots[1] + (shared < 2));
    return 0;
}
