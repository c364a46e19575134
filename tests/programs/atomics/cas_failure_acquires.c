//@ verdict: race-free
//@ about: a failed compare-exchange with acquire as failure order synchronises
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

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
                                                 memory_order_acquire)
        && expected == 1)
        assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
