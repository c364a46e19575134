//@ verdict: race-free
//@ about: one step of k-means: assignment, then sums for each centre by reduction
#include <assert.h>
#define N 240
#define K 4

int main(void)
{
    int x[N], centre[K] = {0, 20, 40, 60}, sum[K] = {0}, size[K] = {0}, label[N];
    for (int i = 0; i < N; i++)
        x[i] = (i * 7) % 64;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            int best = 0;
            for (int k = 1; k < K; k++) {
                int d = x[i] - centre[k], e = x[i] - centre[best];
                if (d * d < e * e)
                    best = k;
            }
            label[i] = best;
        }
#pragma omp for reduction(+ : sum, size)
        for (int i = 0; i < N; i++) {
            sum[label[i]] += x[i];
            size[label[i]]++;
        }
#pragma omp single
        for (int k = 0; k < K; k++)
            centre[k] = sum[k] / size[k];
    }
    assert(size[0] + size[1] + size[2] + size[3] == N);
    return 0;
}
