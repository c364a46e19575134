//@ verdict: race
//@ race: answer 13 14
//@ about: task: the creator reads the result without taskwait
#include <stdio.h>

int main(void)
{
    int answer = 0, copy = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(answer)
        answer = 42;
        copy = answer;
    }
    printf("%d\n", copy);
    return 0;
}
