//@ verdict: defect
//@ defect: assertion 26
//@ about: whether a deadline is valid depends on who came first
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, busy = PTHREAD_MUTEX_INITIALIZER;
static long nanoseconds;
static void *change(void *arg)
{
    pthread_mutex_lock(&guard);
    nanoseconds = 2000000000;
    pthread_mutex_unlock(&guard);
    return arg;
}
static void *wait(void *arg)
{
    struct timespec t = {1, 0};
    pthread_mutex_lock(&guard);
    t.tv_nsec = nanoseconds;
    pthread_mutex_unlock(&guard);
    int r = pthread_mutex_timedlock(&busy, &t);


    assert(r == ETIMEDOUT);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_mutex_lock(&busy);
    pthread_create(&t[0], 0, wait, 0);
    pthread_create(&t[1], 0, change, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
