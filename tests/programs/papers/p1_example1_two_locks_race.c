//@ verdict: race
//@ race: x 15 24
//@ about: Model Checking Race-freedom, example 1: each thread holds its own lock; one path only detects the race
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t l2 = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *t1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&l1);
    x = 1;
    pthread_mutex_unlock(&l1);
    return NULL;
}

static void *t2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&l2);
    x = 2;
    pthread_mutex_unlock(&l2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
