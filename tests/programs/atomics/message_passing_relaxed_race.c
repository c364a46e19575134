//@ verdict: race
//@ race: data 14 25
//@ about: relaxed operations on the flag do not order the data
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
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
    printf("%d\n", data);
    pthread_join(t, NULL);
    return 0;
}
