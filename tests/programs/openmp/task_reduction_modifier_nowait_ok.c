//@ verdict: race-free
//@ undecided: tasks get pointers to variables of the thread that executes the block around them
//@ about: parallel reduction(task, +) where no barrier waits for the tasks, which other tasks create in part
#include <assert.h>

int main(void)
{
    long sum = 5;
#pragma omp parallel reduction(task, + : sum)
    {
        sum += 1;
#pragma omp for nowait
        for (int i = 0; i < 6; i++) {
#pragma omp task in_reduction(+ : sum)
            {
                sum += i;
#pragma omp task in_reduction(+ : sum)
                sum += 10;
            }
        }
    }
    assert(sum > 80);
    return 0;
}
