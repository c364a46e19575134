//@ verdict: race-free
//@ about: for schedule(static): with two threads iterations 10 and 11 of 100 lie in one block
#include <assert.h>
#define N 100

int main(void)
{
    int carry = 0;
    int got = 0;
#pragma omp parallel for schedule(static) num_threads(2)
    for (int i = 0; i < N; i++) {
        if (i == 10)
            carry = 5;
        if (i == 11)
            got = carry;
    }
    assert(got == 5);
    return 0;
}
