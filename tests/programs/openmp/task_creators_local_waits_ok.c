//@ verdict: race-free
//@ about: task: the function waits before its local variable goes
#include <assert.h>

static int result;

static void launch(int seed)
{
    int local = seed * 2;
#pragma omp task shared(local)
    result = local + 1;
#pragma omp taskwait
    local = 0;
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    launch(4);
    assert(result == 9);
    return 0;
}
