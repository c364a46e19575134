//@ verdict: race-free
//@ about: all integer widths, signed and unsigned arithmetic, promotions and wrap-around
#include <assert.h>
#include <limits.h>
#include <stdint.h>

static int8_t s8 = -128;
static uint8_t u8 = 200;
static int16_t s16 = -30000;
static uint16_t u16 = 60000;
static int32_t s32 = -2000000000;
static uint32_t u32 = 4000000000u;
static int64_t s64 = -9000000000000000000LL;
static uint64_t u64 = 18000000000000000000ULL;

int main(void)
{
    assert((uint8_t)(u8 + 100) == 44);
    assert(u8 + 100 == 300);
    assert((int8_t)(s8 - 1) == 127);
    assert((uint16_t)(u16 + 10000) == 4464);
    assert((int16_t)(s16 * 3) == -24464);
    assert(u32 + 1000000000u == 705032704u);
    assert(s32 / 7 == -285714285 && s32 % 7 == -5);
    assert(u32 / 7 == 571428571u && u32 % 7 == 3);
    assert(s64 / 1000000007LL == -8999999937LL && s64 % 1000000007LL == -441);
    assert(u64 / 3 == 6000000000000000000ULL);
    assert(u64 * 2 == 17553255926290448384ULL);
    assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
    assert(s8 < u8);
    assert((unsigned)-1 > 0u && -1 < 0);
    assert(-1 > (int)(short)-2);
    assert((int64_t)-1 < (int64_t)u32);
    assert(u32 > (uint32_t)s32 == (4000000000u > 2294967296u));
    assert(INT_MAX == 2147483647 && UINT_MAX == 4294967295u);
    assert((char)65 == 'A' && sizeof(char) == 1 && sizeof(long long) == 8);
    u8 += 56;
    s16 -= 2768;
    u16++;
    s32 >>= 3;
    assert(u8 == 0 && s16 == -32768 && u16 == 60001 && s32 == -250000000);
    assert(!u8 && !!u16 && ~u8 == -1);
    return 0;
}
