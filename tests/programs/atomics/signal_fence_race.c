//@ verdict: race
//@ race: data 14 26
//@ about: a signal fence orders nothing between threads
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_signal_fence(memory_order_seq_cst);
        printf("%d\n", data);
    }
    pthread_join(t, NULL);
    return 0;
}
