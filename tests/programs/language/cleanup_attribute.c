//@ verdict: race-free
//@ about: constructors, destructors of the program and the cleanup attribute of GNU C
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int started, count;

__attribute__((constructor)) static void begin(void)
{
    started = 1;
}

__attribute__((destructor)) static void end(void)
{
    assert(count == 2);
}

static void unlock(pthread_mutex_t **m)
{
    pthread_mutex_unlock(*m);
}

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    __attribute__((cleanup(unlock))) pthread_mutex_t *guard = &lock;
    (void)guard;
    if (count > 100)
        return arg;
    count++;
    return NULL;
}

int main(void)
{
    assert(started == 1);
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
