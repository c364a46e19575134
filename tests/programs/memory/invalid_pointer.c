//@ verdict: defect
//@ defect: invalid-pointer 10
//@ about: an address that belongs to no object
#include <stdint.h>

int main(void)
{
    volatile uintptr_t address = 0x12340;
    int *p = (int *)address;
    return *p;
}
