//@ verdict: race-free
//@ undecided: tasks get pointers to variables of the thread that executes the block around them
//@ about: taskloop in_reduction inside a taskgroup
#include <assert.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        {
#pragma omp taskloop in_reduction(+ : sum) nogroup
            for (int i = 0; i < 100; i++)
                sum += i;
#pragma omp task in_reduction(+ : sum)
            sum += 50;
        }
    }
    assert(sum == 5000);
    return 0;
}
