//@ verdict: race-free
//@ about: a condition variable may be used with another mutex when nobody waits on it any more
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *wait_with(void *m)
{
    pthread_mutex_lock(m);
    while (!ready)
        pthread_cond_wait(&c, m);
    ready = 0;
    pthread_mutex_unlock(m);
    return 0;
}
static void turn(pthread_mutex_t *m)
{
    pthread_t t;
    pthread_create(&t, 0, wait_with, m);
    pthread_mutex_lock(m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(m);
    pthread_join(t, 0);
}
int main(void)
{
    turn(&m1);
    turn(&m2);
    assert(!ready);
    return 0;
}
