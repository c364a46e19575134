//@ verdict: race
//@ race: sum[*] 22 22
//@ race: size[*] 23 23
//@ about: one step of k-means with shared sums
#include <stdio.h>
#define N 240
#define K 4

int main(void)
{
    int x[N], centre[K] = {0, 20, 40, 60}, sum[K] = {0}, size[K] = {0};
    for (int i = 0; i < N; i++)
        x[i] = (i * 7) % 64;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int best = 0;
        for (int k = 1; k < K; k++) {
            int d = x[i] - centre[k], e = x[i] - centre[best];
            if (d * d < e * e)
                best = k;
        }
        sum[best] += x[i];
        size[best]++;
    }
    printf("%d %d\n", sum[0], size[0]);
    return 0;
}
