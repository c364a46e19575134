//@ verdict: race
//@ race: count[*] 25 25
//@ race: sum[*] 24 24
//@ about: k-means: the sums of the clusters are shared and not protected
#include <math.h>
#include <stdio.h>
#define N 300
#define K 3

int main(void)
{
    double x[N], centre[K] = {0.0, 100.0, 200.0};
    for (int i = 0; i < N; i++)
        x[i] = (i * 37) % 300;
    for (int round = 0; round < 2; round++) {
        double sum[K] = {0};
        int count[K] = {0};
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            int best = 0;
            for (int k = 1; k < K; k++)
                if (fabs(x[i] - centre[k]) < fabs(x[i] - centre[best]))
                    best = k;
            sum[best] += x[i];
            count[best]++;
        }
        for (int k = 0; k < K; k++)
            if (count[k] > 0)
                centre[k] = sum[k] / count[k];
    }
    printf("%f %f %f\n", centre[0], centre[1], centre[2]);
    return 0;
}
