//@ verdict: race-free
//@ about: task depend with an iterator: wait for all the parts
#include <assert.h>
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
#pragma omp task depend(iterator(k = 0 : N), in : part[k]) shared(sum)
        for (int i = 0; i < N; i++)
            sum += part[i];
    }
    assert(sum == 3 * N * (N - 1) / 2);
    return 0;
}
