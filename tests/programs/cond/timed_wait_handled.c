//@ verdict: race-free
//@ about: a timed wait may time out before the condition holds; the caller copes
#include <assert.h>
#include <errno.h>
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
    struct timespec until = {.tv_sec = 0, .tv_nsec = 0};
    pthread_create(&t, NULL, setter, NULL);
    int r = 0;
    pthread_mutex_lock(&lock);
    while (!ready && r == 0)
        r = pthread_cond_timedwait(&changed, &lock, &until);
    assert(ready || r == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(ready);
    return 0;
}
