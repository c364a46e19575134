//@ verdict: race-free
//@ about: a task suspended in a barrier does not constrain its thread: the other thread's children may be executed there
#include <assert.h>
#include <omp.h>
int hits, sum;
omp_lock_t l;

static int fib(int k)
{
    int a, b;
    if (k < 2)
        return k;
#pragma omp task shared(a)
    a = fib(k - 1);
    b = fib(k - 2);
#pragma omp taskwait
    if (omp_test_lock(&l)) {
        hits++;
        omp_unset_lock(&l);
    }
    return a + b;
}

int main(void)
{
    omp_init_lock(&l);
#pragma omp parallel num_threads(2)
    {
#pragma omp task
        {
            int r = fib(2);
#pragma omp atomic
            sum += r;
        }
    }
    assert(sum == 2);
}
