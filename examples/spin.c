/* A spin lock of one atomic variable. With acquire and release it protects the counter: `raceproof check spin.c`
 * proves it, although the waiting loop has no bound. `raceproof check --define RELAXED_UNLOCK=1 spin.c`
 * shows what a relaxed unlock breaks: the threads still exclude each other, but their writes are no longer ordered. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED_UNLOCK
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

static atomic_int locked;
static int counter;

static void lock(void)
{
    int expected = 0;
    while (!atomic_compare_exchange_weak_explicit(&locked, &expected, 1, memory_order_acquire, memory_order_relaxed))
        expected = 0;
}

static void unlock(void)
{
    atomic_store_explicit(&locked, 0, UNLOCK);
}

static void *worker(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        lock();
        counter++;
        unlock();
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
