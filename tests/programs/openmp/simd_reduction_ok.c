//@ verdict: race-free
//@ about: simd reduction
#include <assert.h>
#define N 300

int main(void)
{
    int sum = 0, top = -1;
#pragma omp simd reduction(+ : sum) reduction(max : top)
    for (int i = 0; i < N; i++) {
        sum += i;
        top = i > top ? i : top;
    }
    assert(sum == N * (N - 1) / 2 && top == N - 1);
    return 0;
}
