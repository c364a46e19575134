//@ verdict: race-free
//@ about: taskwait: the children are complete
#include <assert.h>

int main(void)
{
    int answer = 0, copy = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(answer)
        answer = 42;
#pragma omp taskwait
        copy = answer;
    }
    assert(copy == 42);
    return 0;
}
