//@ verdict: race
//@ race: data 14 27
//@ about: a failed compare-exchange has only its failure order, here relaxed
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int state;

static void *producer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_store_explicit(&state, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    int expected = 2;
    if (!atomic_compare_exchange_strong_explicit(&state, &expected, 3, memory_order_acq_rel,
                                                 memory_order_relaxed)
        && expected == 1)
        printf("%d\n", data);
    pthread_join(t, NULL);
    return 0;
}
