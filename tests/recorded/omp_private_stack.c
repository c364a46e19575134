// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
static void fill(int *a, int v) { for (int i = 0; i < 10; i++) a[i] = v + i; }
static int total(const int *a) { int s = 0; for (int i = 0; i < 10; i++) s += a[i]; return s; }
int out[40];
int main(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(i)
        {
            int own[10];
            fill(own, i);
            out[i] = total(own);
        }
    }
    return out[1] != 55;
}
