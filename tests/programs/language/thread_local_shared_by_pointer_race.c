//@ verdict: race
//@ race: scratch|*shared 17 29
//@ about: a thread-local variable can still be shared through its address
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static _Thread_local int scratch;
static int *shared;
static sem_t published, finished;

static void *worker(void *arg)
{
    (void)arg;
    shared = &scratch;
    sem_post(&published);
    scratch = 1;
    sem_wait(&finished);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&published, 0, 0);
    sem_init(&finished, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&published);
    *shared = 2;
    sem_post(&finished);
    pthread_join(t, NULL);
    return 0;
}
