//@ verdict: race
//@ about: once answered wrongly because an address that is stored in pieces, or disguised, does not publish the local variable
//@ race: x|*q 13 24
//@ about: the address of a local variable goes to another thread in two halves
#include <pthread.h>
#include <stdint.h>

uint32_t low, high;

void *work(void *arg)
{
    int *q = (int *)((uintptr_t)low | (uintptr_t)high << 32);
    *q = 2;
    return arg;
}

int main(void)
{
    int x;
    pthread_t t;
    low = (uint32_t)(uintptr_t)&x;
    high = (uint32_t)((uintptr_t)&x >> 32);
    pthread_create(&t, 0, work, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
