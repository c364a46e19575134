//@ verdict: race-free
//@ about: parallel: everybody reads the shared table, nobody writes it
#include <assert.h>
#define N 100

int main(void)
{
    int table[N], out[N];
    const int bias = 4;
    for (int i = 0; i < N; i++)
        table[i] = (i * 17) % N;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[i] = table[table[i]] + table[0] + bias;
    for (int i = 0; i < N; i++)
        assert(out[i] == table[table[i]] + 4);
    return 0;
}
