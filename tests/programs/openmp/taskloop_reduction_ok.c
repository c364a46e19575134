//@ verdict: race-free
//@ undecided: tasks get pointers to variables of the thread that executes the block around them
//@ about: taskloop reduction, lastprivate and collapse
#include <assert.h>
#define N 50

int main(void)
{
    int sum = 0, last = -1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop reduction(+ : sum) grainsize(7)
        for (int i = 0; i < N; i++)
            sum += i;
#pragma omp taskloop collapse(2) lastprivate(last) num_tasks(5)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++)
                last = i * 10 + j;
    }
    assert(sum == N * (N - 1) / 2 && last == 99);
    return 0;
}
