//@ verdict: race
//@ race: part[*] 15 19
//@ about: task depend with an iterator that leaves out the last part
#include <stdio.h>
#define N 20

int main(void)
{
    int part[N], sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(out : part[i])
            part[i] = 3 * i;
        }
#pragma omp task depend(iterator(k = 0 : N - 1), in : part[k]) shared(sum)
        for (int i = 0; i < N; i++)
            sum += part[i];
    }
    printf("%d\n", sum);
    return 0;
}
