//@ verdict: race-free
//@ about: conversions between integers, floats, pointers, bool and enums
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum level { LOW = -1, MID = 5, HIGH };

int main(void)
{
    volatile double d = -3.99;
    volatile float f = 16777217.0f;
    volatile int i = 300;
    volatile long long big = 0x123456789abcdefLL;
    assert((int)d == -3 && (long)3.99 == 3);
    assert(f == 16777216.0f);
    assert((unsigned char)i == 44 && (signed char)i == 44 && (signed char)200 == -56);
    assert((int)big == (int)0x89abcdef);
    assert((uint16_t)big == 0xcdef);
    assert((bool)0.5 == true && (bool)i && !(bool)0);
    assert((double)i / 7 > 42.85 && (double)i / 7 < 42.86);
    assert((float)(1 << 25) == 33554432.0f);
    assert((unsigned long long)1e18 == 1000000000000000000ULL);
    assert((double)0xffffffffffffffffULL == 18446744073709551616.0);
    assert((long long)-1e15 == -1000000000000000LL);
    assert((long double)1 / 3 > 0.3333333333333333L);
    assert((int)(float)2147483520 == 2147483520);
    assert(LOW + MID == 4 && HIGH == 6);
    enum level l = (enum level)i;
    assert((int)l == 300);
    int array[4] = {1, 2, 3, 4};
    uintptr_t address = (uintptr_t)array;
    int *back = (int *)(address + 2 * sizeof(int));
    assert(*back == 3 && back - array == 2);
    char *bytes = (char *)array;
    assert((int *)(bytes + 4) == &array[1]);
    ptrdiff_t distance = &array[3] - &array[0];
    assert(distance == 3 && &array[3] > &array[0]);
    assert((void *)array == (void *)&array && array + 1 != &array[0]);
    int (*whole)[4] = &array;
    assert((*whole)[3] == 4 && sizeof *whole == 4 * sizeof(int));
    return 0;
}
