//@ verdict: race-free
//@ about: atomic update in every form of the statement
#include <assert.h>
#define N 200

int main(void)
{
    int up = 0, down = 0, bits = 0;
    double area = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        up++;
#pragma omp atomic update
        down -= 2;
#pragma omp atomic update relaxed
        bits = bits | (1 << (i % 16));
#pragma omp atomic seq_cst
        area = 0.5 + area;
    }
    assert(up == N && down == -2 * N && bits == 0xffff && area == 0.5 * N);
    return 0;
}
