//@ verdict: race
//@ race: value 17 31
//@ about: a recursive mutex protects until its last unlock, and no longer
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int value;

static void *careful(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    value = 1; /* still protected: one unlock is missing */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, careful, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    value = 2;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    value = 3;
    pthread_join(t, NULL);
    return 0;
}
