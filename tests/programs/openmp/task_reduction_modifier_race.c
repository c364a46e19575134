//@ verdict: race
//@ races: at-least
//@ race: seen 18 18
//@ about: parallel reduction(task, +): tasks that take part write to another variable as well
#include <assert.h>

int main(void)
{
    long sum = 0;
    int seen = 0;
#pragma omp parallel reduction(task, + : sum)
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
            {
                sum += i;
                seen = i;
            }
        }
    }
    assert(sum == 190);
    return seen > 20;
}
