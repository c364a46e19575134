//@ verdict: race-free
//@ about: an iteration with a stopping test that every thread evaluates between barriers
#include <assert.h>
#define N 100

int main(void)
{
    int v[N], change = 1, rounds = 0;
    for (int i = 0; i < N; i++)
        v[i] = i % 16;
#pragma omp parallel
    {
        int go = 1;
        while (go) {
#pragma omp barrier
#pragma omp single
            {
                change = 0;
                rounds++;
            }
#pragma omp for reduction(+ : change)
            for (int i = 0; i < N; i++)
                if (v[i] > 0) {
                    v[i] /= 2;
                    change++;
                }
            go = change > 0;
        }
    }
    assert(rounds == 5 && change == 0);
    return 0;
}
