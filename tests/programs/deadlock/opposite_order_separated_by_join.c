//@ verdict: race-free
//@ about: the opposite lock orders belong to threads that never run at the same time
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    x++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *forwards(void *arg)
{
    (void)arg;
    both(&a, &b);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, forwards, NULL);
    pthread_join(t, NULL);
    both(&b, &a);
    assert(x == 2);
    return 0;
}
