//@ verdict: race
//@ race: data 14 24
//@ about: an acquire load that reads from a relaxed store synchronises with nothing
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        printf("%d\n", data);
    pthread_join(t, NULL);
    return 0;
}
