//@ verdict: race-free
//@ about: a detached thread and main share a counter under a mutex; main ends without waiting
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *logger(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    lines++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, logger, NULL);
    pthread_detach(t);
    pthread_mutex_lock(&lock);
    int now = lines;
    pthread_mutex_unlock(&lock);
    assert(now == 0 || now == 1);
    return 0;
}
