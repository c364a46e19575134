//@ verdict: race-free
//@ about: a relaxed read-modify-write of another thread continues the release sequence
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int stage;

static void *producer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return NULL;
}

static void *forwarder(void *arg)
{
    (void)arg;
    int one = 1;
    atomic_compare_exchange_strong_explicit(&stage, &one, 2, memory_order_relaxed, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, forwarder, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        assert(data == 42);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
