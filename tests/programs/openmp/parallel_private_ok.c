//@ verdict: race-free
//@ about: parallel private: each thread has its own temporary, and the original keeps its value
#include <assert.h>

int main(void)
{
    int tmp = 7;
    int out[200];
#pragma omp parallel private(tmp)
    {
#pragma omp for
        for (int i = 0; i < 200; i++) {
            tmp = i * 2;
            out[i] = tmp + 1;
        }
    }
    assert(tmp == 7);
    for (int i = 0; i < 200; i++)
        assert(out[i] == 2 * i + 1);
    return 0;
}
