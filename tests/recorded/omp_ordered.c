// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int main(void) {
    int last = -1, bad = 0;
#pragma omp parallel for ordered num_threads(3) schedule(dynamic)
    for (int i = 0; i < 20; i++) {
#pragma omp ordered
        {
            if (last != i - 1) bad = 1;
            last = i;
        }
    }
    return bad;
}
