//@ verdict: race-free
//@ about: an eight-byte acquire load is ordered after the four-byte release whose value it contains
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t half[2];
    uint64_t both;
} word;
static int data;

static void *writer(void *arg)
{
    data = 1;
    __atomic_store_n(&word.half[1], 1, __ATOMIC_RELEASE);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (__atomic_load_n(&word.both, __ATOMIC_ACQUIRE) != 0)
        data = 2;
    pthread_join(t, 0);
    return 0;
}
