//@ verdict: race-free
//@ about: schedule(static, 1): what a thread kept in a private variable belongs to its last iteration
#include <assert.h>
#define N 100

int main(void)
{
    int before[N];
#pragma omp parallel num_threads(2)
    {
        int last = -2;
#pragma omp for schedule(static, 1)
        for (int i = 0; i < N; i++) {
            before[i] = last;
            last = i;
        }
    }
    for (int i = 2; i < N; i++)
        assert(before[i] == i - 2);
    return 0;
}
