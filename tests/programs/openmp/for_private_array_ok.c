//@ verdict: race-free
//@ about: for private over an array: each thread has the whole array
#include <assert.h>
#define N 60

int main(void)
{
    int buffer[N], out[N];
    buffer[0] = 5;
#pragma omp parallel for private(buffer)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            buffer[j] = i * j;
        out[i] = buffer[N - 1];
    }
    assert(buffer[0] == 5);
    for (int i = 0; i < N; i++)
        assert(out[i] == i * (N - 1));
    return 0;
}
