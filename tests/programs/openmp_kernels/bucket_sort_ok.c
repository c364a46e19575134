//@ verdict: race-free
//@ about: counting sort: counts for each block, offsets by one thread, then every block writes its own places
#include <assert.h>
#define N 300
#define KEYS 10
#define BLOCKS 6

int main(void)
{
    int key[N], out[N], count[BLOCKS][KEYS] = {{0}};
    for (int i = 0; i < N; i++)
        key[i] = (i * 7 + 3) % KEYS;
#pragma omp parallel
    {
#pragma omp for
        for (int b = 0; b < BLOCKS; b++)
            for (int i = b * (N / BLOCKS); i < (b + 1) * (N / BLOCKS); i++)
                count[b][key[i]]++;
#pragma omp single
        {
            int at = 0;
            for (int k = 0; k < KEYS; k++)
                for (int b = 0; b < BLOCKS; b++) {
                    int n = count[b][k];
                    count[b][k] = at;
                    at += n;
                }
        }
#pragma omp for
        for (int b = 0; b < BLOCKS; b++)
            for (int i = b * (N / BLOCKS); i < (b + 1) * (N / BLOCKS); i++)
                out[count[b][key[i]]++] = key[i];
    }
    for (int i = 0; i < N; i++)
        assert(out[i] == i / (N / KEYS));
    return 0;
}
