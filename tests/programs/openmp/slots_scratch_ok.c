//@ verdict: race-free
//@ about: a row of scratch memory for each thread: what an iteration finds there it has written itself
#include <assert.h>
#include <omp.h>
#define N 100
#define K 20

static double buffer[64][K], x[N];

int main(void)
{
    int big = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : big)
    for (int i = 0; i < N; i++) {
        double *w = buffer[omp_get_thread_num()], s = 0;
        for (int k = 0; k < K; k++)
            w[k] = i * k % 7;
        for (int k = 0; k < K; k++)
            if (w[k] > 3)
                s += w[k];
        x[i] = s;
        if (s > 40)
            big++;
    }
    assert(x[1] == 39 && big < N);
    return 0;
}
