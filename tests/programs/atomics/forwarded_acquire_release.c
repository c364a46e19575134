//@ verdict: race-free
//@ about: happens-before is transitive over two flags and three threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_bool first, second;

static void *producer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_store_explicit(&first, 1, memory_order_release);
    return NULL;
}

static void *forwarder(void *arg)
{
    (void)arg;
    if (atomic_load_explicit(&first, memory_order_acquire))
        atomic_store_explicit(&second, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, forwarder, NULL);
    if (atomic_load_explicit(&second, memory_order_acquire))
        assert(data == 42);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
