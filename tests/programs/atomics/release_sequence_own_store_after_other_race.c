//@ verdict: race
//@ race: data 13 32
//@ about: a store of another thread ends the release sequence: a later relaxed store of the first thread does not revive it
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int stage;

static void *producer(void *arg)
{
    data = 42;
    atomic_store_explicit(&stage, 1, memory_order_release);
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 2)
        atomic_store_explicit(&stage, 3, memory_order_relaxed);
    return arg;
}

static void *other(void *arg)
{
    atomic_store_explicit(&stage, 2, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, other, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 3)
        printf("%d\n", data);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
