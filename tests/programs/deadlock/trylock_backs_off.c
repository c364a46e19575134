//@ verdict: race-free
//@ about: opposite orders made safe: the second lock is only tried, and the first is given back on failure
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
    x++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *backwards(void *arg)
{
    (void)arg;
    both(&b, &a);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, backwards, NULL);
    both(&a, &b);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
