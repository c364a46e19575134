//@ verdict: race
//@ race: lock 16 19
//@ races: at-least
//@ may-race: lock 19 19
//@ may-race: counter 18 18
//@ about: the lock is taken atomically but released by a plain store
#include <pthread.h>
#include <stddef.h>

static int lock;
static int counter;

static void *worker(void *arg)
{
    (void)arg;
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    counter++;
    lock = 0;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
