//@ verdict: race-free
//@ about: a semaphore with value 1 used as a lock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;
static int counter;

static void *worker(void *arg)
{
    (void)arg;
    sem_wait(&sem);
    counter++;
    sem_post(&sem);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    assert(sem_init(&sem, 0, 1) == 0);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    int value = -1;
    assert(sem_getvalue(&sem, &value) == 0 && value == 1);
    assert(sem_destroy(&sem) == 0);
    return 0;
}
