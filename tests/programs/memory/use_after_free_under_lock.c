//@ verdict: defect
//@ defect: use-after-free 14
//@ about: both sides hold the lock, so nothing races, but the object may be gone
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *session;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    *session += 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    session = calloc(1, sizeof *session);
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    free(session);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
