//@ verdict: defect
//@ defect: assertion 34
//@ about: the caller of a timed wait forgets that it can time out
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *setter(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_create(&t, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
    int r = 0;
    while (!ready && r == 0)
        r = pthread_cond_timedwait(&changed, &lock, &until);
    assert(ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
