//@ verdict: race-free
//@ about: recursive tasks of every thread of a team end, whoever executes them at the barrier
#include <assert.h>
int r[2];
#include <omp.h>

static int fib(int k)
{
    int a, b;
    if (k < 2)
        return k;
#pragma omp task shared(a)
    a = fib(k - 1);
#pragma omp task shared(b)
    b = fib(k - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int *mine = &r[omp_get_thread_num()];
#pragma omp task
        *mine = fib(3);
    }
    assert(r[0] == 2 && r[1] == 2);
}
