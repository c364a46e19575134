//@ verdict: race-free
//@ about: release store and acquire load order the data that the flag announces
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data[2];
static atomic_int ready;

static void *producer(void *arg)
{
    (void)arg;
    data[0] = 40;
    data[1] = 2;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(data[0] + data[1] == 42);
    data[0] = 0;
    pthread_join(t, NULL);
    return 0;
}
