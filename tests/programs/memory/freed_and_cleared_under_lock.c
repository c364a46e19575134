//@ verdict: race-free
//@ about: the pointer is cleared with the free, and tested before the use
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *session;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (session)
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
    assert(*session == 0 || *session == 1);
    free(session);
    session = NULL;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    free(session);
    return 0;
}
