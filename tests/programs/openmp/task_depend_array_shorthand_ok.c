//@ verdict: race-free
//@ about: task depend over array sections: blocks of a vector, then the whole
#include <assert.h>
#define N 100
#define B 25

int main(void)
{
    int v[N], sum[N / B];
#pragma omp parallel
#pragma omp single
    for (int b = 0; b < N / B; b++) {
#pragma omp task depend(out : v[b * B : B])
        for (int i = b * B; i < (b + 1) * B; i++)
            v[i] = 1;
#pragma omp task depend(in : v[b * B : B]) depend(out : sum[b])
        {
            sum[b] = 0;
            for (int i = b * B; i < (b + 1) * B; i++)
                sum[b] += v[i];
        }
    }
    for (int b = 0; b < N / B; b++)
        assert(sum[b] == B);
    return 0;
}
