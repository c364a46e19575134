//@ verdict: race-free
//@ about: shifts, masks, rotations and the bit-counting builtins
#include <assert.h>
#include <stdint.h>

static uint32_t rotate_left(uint32_t x, unsigned n)
{
    return (x << n) | (x >> (32 - n));
}

static unsigned count_ones(uint64_t x)
{
    unsigned n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static uint32_t reverse_bytes(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

int main(void)
{
    volatile uint32_t x = 0x80000001u;
    assert(rotate_left(x, 4) == 0x18u);
    assert(count_ones(0xf0f0f0f0f0f0f0f0ULL) == 32);
    assert(reverse_bytes(0x12345678u) == 0x78563412u);
    assert((int32_t)x >> 31 == -1 && x >> 31 == 1);
    assert(1ULL << 63 == 0x8000000000000000ULL);
    volatile int64_t negative = -256;
    assert(negative >> 4 == -16);
    assert((uint8_t)(0xabu << 4) == 0xb0);
    assert((x ^ 0xffffffffu) == 0x7ffffffeu);
    assert((0x0f | 0xf0) == 0xff && (0xff & ~0x0f) == 0xf0);
    assert(__builtin_popcount(x) == 2);
    assert(__builtin_clz(1u) == 31 && __builtin_ctz(8u) == 3);
    assert(__builtin_clzll(1ull) == 63 && __builtin_ctzll(1ull << 40) == 40);
    assert(__builtin_ffs(0) == 0 && __builtin_ffs(16) == 5);
    assert(__builtin_bswap32(0x12345678u) == 0x78563412u);
    assert(__builtin_bswap16(0x1234) == 0x3412);
    assert(__builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull);
    assert(__builtin_parity(7u) == 1);
    int sum;
    assert(__builtin_add_overflow(2147483647, 1, &sum) && sum == -2147483647 - 1);
    assert(!__builtin_mul_overflow(1000, 1000, &sum) && sum == 1000000);
    unsigned diff;
    assert(__builtin_sub_overflow(1u, 2u, &diff) && diff == 0xffffffffu);
    return 0;
}
