//@ verdict: defect
//@ defect: use-after-free 12
//@ about: task: it uses a local variable of a function that need not wait for it
#include <stdio.h>

static int result;

static void launch(int seed)
{
    int local = seed * 2;
#pragma omp task shared(local)
    result = local + 1;
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        launch(4);
#pragma omp taskwait
        printf("%d\n", result);
    }
    return 0;
}
