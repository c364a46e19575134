//@ verdict: race-free
//@ about: main leaves by pthread_exit; the other threads run on, and the process ends with the last one
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    finished++;
    assert(finished <= 2);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, NULL, worker, NULL);
    pthread_exit(NULL);
}
