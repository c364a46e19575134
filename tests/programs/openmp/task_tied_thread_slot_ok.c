//@ verdict: race-free
//@ about: task: a tied task stays on its thread, so the thread's slot is its own
#include <assert.h>
#include <omp.h>

int main(void)
{
    int part[64] = {0}, sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 40; i++) {
#pragma omp task
        part[omp_get_thread_num()] += i;
    }
    for (int t = 0; t < 64; t++)
        sum += part[t];
    assert(sum == 780);
    return 0;
}
