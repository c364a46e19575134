// record: free
// flags: -fopenmp
// Iterations that share an element under a lock, in order, or by atomic accesses.
#include <stdio.h>
int locked[4], counted[4], ordered[4];
int main(void) {
#pragma omp parallel for ordered schedule(dynamic) num_threads(2)
    for (int i = 0; i < 12; i++) {
#pragma omp critical
        locked[i / 4] += i;
#pragma omp atomic
        counted[i / 4]++;
#pragma omp ordered
        ordered[i / 4] += i;
    }
    printf("%d %d %d\n", locked[0], counted[0], ordered[0]);
    return 0;
}
