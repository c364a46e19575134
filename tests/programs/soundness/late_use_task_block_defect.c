//@ verdict: defect
//@ defect: use-after-free 18
//@ options: --threads 2
//@ about: a child task uses a firstprivate variable of its parent, which does not wait for it
#include <stdatomic.h>

static int last;

int main(void) {
    int x = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task firstprivate(x)
    {
        int *mine = &x;
#pragma omp task firstprivate(mine) shared(last)
#pragma omp critical
        last = *mine;
    }
    return last - 1;
}
