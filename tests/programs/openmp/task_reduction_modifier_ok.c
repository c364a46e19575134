//@ verdict: race-free
//@ undecided: tasks get pointers to variables of the thread that executes the block around them
//@ about: parallel reduction(task, +) with tasks that take part
#include <assert.h>

int main(void)
{
    long sum = 0;
#pragma omp parallel reduction(task, + : sum)
    {
#pragma omp single
        for (int i = 0; i < 60; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
    }
    assert(sum == 1770);
    return 0;
}
