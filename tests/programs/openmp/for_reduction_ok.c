//@ verdict: race-free
//@ about: for reduction: sums, products, bits, minimum and maximum
#include <assert.h>
#define N 300

int main(void)
{
    int sum = 5, low = 1000, high = -1000;
    unsigned all = ~0u, any = 0, odd = 0;
    int every = 1, some = 0;
#pragma omp parallel for reduction(+ : sum) reduction(min : low) reduction(max : high) reduction(& : all) \
    reduction(| : any) reduction(^ : odd) reduction(&& : every) reduction(|| : some)
    for (int i = 0; i < N; i++) {
        sum += i;
        low = i - 7 < low ? i - 7 : low;
        high = i > high ? i : high;
        all &= ~(1u << (i % 4));
        any |= 1u << (i % 8);
        odd ^= (unsigned)i;
        every = every && i >= 0;
        some = some || i == 299;
    }
    assert(sum == 5 + N * (N - 1) / 2);
    assert(low == -7 && high == N - 1);
    assert(all == ~15u && any == 255u);
    unsigned want = 0;
    for (int i = 0; i < N; i++)
        want ^= (unsigned)i;
    assert(odd == want && every && some);
    return 0;
}
