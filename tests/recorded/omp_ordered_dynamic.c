// record: race last
// flags: -fopenmp
// The ordered blocks come one after the other, what is after them does not.
#include <stdatomic.h>
#include <stdio.h>
atomic_int started;
int last, sum;
int main(void) {
#pragma omp parallel for ordered schedule(dynamic) num_threads(3)
    for (int i = 0; i < 6; i++) {
        if (i < 3) {
            started++;
            while (started < 3) {}
        }
#pragma omp ordered
        sum += i;
        last = i; //!
    }
    printf("%d %d\n", sum, last >= 0);
    return 0;
}
