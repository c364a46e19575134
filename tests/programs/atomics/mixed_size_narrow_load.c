//@ verdict: race-free
//@ about: a one-byte acquire load is ordered after the eight-byte release that wrote the byte
#include <pthread.h>
#include <stdint.h>

static union {
    unsigned char byte[8];
    uint64_t all;
} word;
static int data;

static void *writer(void *arg)
{
    data = 1;
    __atomic_store_n(&word.all, 0x0101010101010101, __ATOMIC_RELEASE);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (__atomic_load_n(&word.byte[5], __ATOMIC_ACQUIRE) == 1)
        data = 2;
    pthread_join(t, 0);
    return 0;
}
