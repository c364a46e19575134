// record: free
// flags: -fopenmp
// Tasks that one thread executes share what belongs to the thread.
#include <omp.h>
#include <stdio.h>
int slots[4];
_Thread_local int mine;
static void count(int i) {
    slots[omp_get_thread_num()] += i;
    mine += i;
}
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 12; i++) {
#pragma omp task
        count(i);
    }
    printf("%d\n", slots[0] + slots[1]);
    return 0;
}
