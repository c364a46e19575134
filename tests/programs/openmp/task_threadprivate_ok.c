//@ verdict: race-free
//@ about: tasks count in a threadprivate variable; the threads add up after a barrier
#include <assert.h>

static int mine;
#pragma omp threadprivate(mine)

int main(void)
{
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        mine = 0;
#pragma omp barrier
#pragma omp single
        for (int k = 0; k < 30; k++) {
#pragma omp task
            mine++;
        }
        sum += mine;
    }
    assert(sum == 30);
    return 0;
}
