//@ verdict: race
//@ race: data 14 33
//@ about: a plain relaxed store of another thread ends the release sequence
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

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
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
        atomic_store_explicit(&stage, 2, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, forwarder, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        printf("%d\n", data);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
