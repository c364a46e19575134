//@ verdict: race-free
//@ about: critical: many iterations set a flag to one value, which then steers
#include <assert.h>
#define N 400

int main(void)
{
    int flag = 0, sum = 0;
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < N; i++)
        if (i % 7 == 3) {
#pragma omp critical
            flag = 3;
        }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        if (flag == 3)
            sum++;
    assert(sum == N);
    return 0;
}
