// record: free
// flags: -fopenmp
// What iterations share belongs to the thread: an element by its number, a private variable, a slot that the first of its
// iterations names, memory that it has asked for, a thread-local variable.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N 24
int by_thread[4], by_first[N], total;
_Thread_local int mine[2];
int main(void) {
#pragma omp parallel num_threads(2)
    {
        int slot = -1, sum = 0;
        int *heap = calloc(2, sizeof *heap);
        int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++) {
            if (slot < 0) slot = i;
            by_first[slot] += i;
            by_thread[me] += i;
            mine[i & 1] += i;
            heap[i & 1] += i;
            sum += i;
        }
#pragma omp critical
        total += sum + heap[0] + mine[0];
        free(heap);
    }
    printf("%d\n", total);
    return 0;
}
