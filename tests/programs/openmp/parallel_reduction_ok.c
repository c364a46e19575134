//@ verdict: race-free
//@ about: parallel reduction: each thread adds to its copy
#include <assert.h>
#define N 400

int main(void)
{
    int v[N];
    long sum = 0;
    for (int i = 0; i < N; i++)
        v[i] = i % 7;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            sum += v[i];
    }
    long want = 0;
    for (int i = 0; i < N; i++)
        want += v[i];
    assert(sum == want);
    return 0;
}
