// record: race total
// flags: -fopenmp
// Which thread gets which iterations depends on who comes first; the first three are on three threads.
#include <stdatomic.h>
#include <stdio.h>
atomic_int started;
int total;
int main(void) {
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int i = 0; i < 24; i++) {
        if (i < 3) {
            started++;
            while (started < 3) {}
        }
        if (i % 5 < 3) total += i; //!
    }
    printf("%d\n", total);
    return 0;
}
