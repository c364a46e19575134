//@ verdict: race-free
//@ about: Model Checking Race-freedom, example 1 with one lock for both threads
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *t1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&l);
    x = 1;
    pthread_mutex_unlock(&l);
    return NULL;
}

static void *t2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&l);
    x = 2;
    pthread_mutex_unlock(&l);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
