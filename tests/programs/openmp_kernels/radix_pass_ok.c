//@ verdict: race-free
//@ about: a pass of radix sort: counts for each thread, offsets by single, and each thread places what it has counted
#include <omp.h>
#include <string.h>
#define N 256
unsigned in[N], out[N];
int cnt[4][16];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = (i * 2654435761u) >> 20;
#pragma omp parallel num_threads(4)
    {
        int t = omp_get_thread_num();
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            cnt[t][in[i] & 15]++;
#pragma omp single
        {
            int s = 0;
            for (int d = 0; d < 16; d++)
                for (int k = 0; k < 4; k++) {
                    int c = cnt[k][d];
                    cnt[k][d] = s;
                    s += c;
                }
        }
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            out[cnt[t][in[i] & 15]++] = in[i];
    }
    return 0;
}
