//@ verdict: race-free
//@ about: a relaxed update of another thread and a relaxed store of the first thread continue its release sequence (C11 5.1.2.4)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int stage;

static void *producer(void *arg)
{
    data = 42;
    atomic_store_explicit(&stage, 1, memory_order_release);
    atomic_store_explicit(&stage, 10, memory_order_relaxed);
    return arg;
}

static void *other(void *arg)
{
    atomic_fetch_or_explicit(&stage, 0, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, other, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 10)
        assert(data == 42);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
