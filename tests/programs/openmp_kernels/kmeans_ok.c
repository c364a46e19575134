//@ verdict: race-free
//@ about: k-means in one dimension: assignment, sums by array reduction, until no point moves
#include <assert.h>
#include <math.h>
#define N 300
#define K 3

int main(void)
{
    double x[N], centre[K] = {0.0, 100.0, 200.0};
    int of[N];
    for (int i = 0; i < N; i++) {
        x[i] = (i * 37) % 300;
        of[i] = -1;
    }
    int moved = 1;
    for (int round = 0; round < 6 && moved; round++) {
        double sum[K] = {0};
        int count[K] = {0};
        moved = 0;
#pragma omp parallel for reduction(+ : sum, count) reduction(| : moved)
        for (int i = 0; i < N; i++) {
            int best = 0;
            for (int k = 1; k < K; k++)
                if (fabs(x[i] - centre[k]) < fabs(x[i] - centre[best]))
                    best = k;
            moved |= best != of[i];
            of[i] = best;
            sum[best] += x[i];
            count[best]++;
        }
        for (int k = 0; k < K; k++)
            if (count[k] > 0)
                centre[k] = sum[k] / count[k];
    }
    assert(centre[0] < centre[1] && centre[1] < centre[2]);
    return 0;
}
