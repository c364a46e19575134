//@ verdict: race-free
//@ about: relaxed increments do not race with each other; the total is read after the joins
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_long events;

static void *worker(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        atomic_fetch_add_explicit(&events, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load_explicit(&events, memory_order_relaxed) == 4);
    return 0;
}
