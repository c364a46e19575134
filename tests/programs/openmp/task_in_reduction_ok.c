//@ verdict: race-free
//@ undecided: tasks get pointers to variables of the thread that executes the block around them
//@ about: taskgroup task_reduction with tasks that take part
#include <assert.h>

int main(void)
{
    int sum = 7, after = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : sum)
                sum += i;
            }
        }
        after = sum;
    }
    assert(after == 7 + 1225);
    return 0;
}
