//@ verdict: race-free
//@ about: a spin lock of __sync_lock_test_and_set (acquire) and __sync_lock_release (release)
#include <assert.h>
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
    __sync_lock_release(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
