//@ verdict: race
//@ race: data 16 26
//@ about: a narrow relaxed store takes its bytes out of the wide release before it
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
    __atomic_store_n(&word.byte[2], 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&word.byte[2], __ATOMIC_ACQUIRE) == 1)
        data = 2;
    pthread_join(t, 0);
    return 0;
}
