//@ verdict: race-free
//@ about: in_reduction finds the variable of the enclosing task group
#include <assert.h>
int main(void)
{
    int s = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : s)
        {
#pragma omp task in_reduction(+ : s)
            s += 1;
#pragma omp task in_reduction(+ : s)
            {
#pragma omp task in_reduction(+ : s)
                s += 2;
                s += 3;
            }
        }
        assert(s == 6);
    }
}
