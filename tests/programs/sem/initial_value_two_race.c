//@ verdict: race
//@ race: counter 15 15
//@ about: a semaphore with value 2 lets two threads in
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
    sem_init(&sem, 0, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
