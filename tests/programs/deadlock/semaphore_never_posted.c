//@ verdict: defect
//@ defect: deadlock 25
//@ about: on the error path the semaphore is not posted
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;

static void *worker(void *arg)
{
    int input = *(int *)arg;
    if (input < 0)
        return NULL;
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int input = -1;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, &input);
    sem_wait(&done);
    pthread_join(t, NULL);
    return 0;
}
