//@ verdict: race
//@ race: stop 27 17
//@ defect: deadlock 18
//@ about: the condition is changed without the mutex under which it is tested
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static bool stop;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_wait(&wake, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    stop = true;
    pthread_cond_signal(&wake);
    pthread_join(t, NULL);
    return 0;
}
