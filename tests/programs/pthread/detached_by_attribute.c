//@ verdict: race-free
//@ about: a thread created detached hands its result over with a semaphore
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int answer;

static void *worker(void *arg)
{
    answer = *(int *)arg * 2;
    sem_post(&done);
    return NULL;
}

int main(void)
{
    static int input = 21;
    pthread_attr_t attr;
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    int state = -1;
    assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
    sem_init(&done, 0, 0);
    pthread_t t;
    assert(pthread_create(&t, &attr, worker, &input) == 0);
    pthread_attr_destroy(&attr);
    sem_wait(&done);
    assert(answer == 42);
    return 0;
}
