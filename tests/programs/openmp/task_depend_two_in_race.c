//@ verdict: race
//@ race: token 13 13
//@ about: task depend(in) on tasks that write: two readers are not ordered
#include <stdio.h>

int main(void)
{
    int token = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(in : token) shared(token)
        token += i;
    }
    printf("%d\n", token);
    return 0;
}
