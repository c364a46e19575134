//@ verdict: defect
//@ defect: deadlock 15
//@ about: two threads join each other
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t first, second;
static sem_t both_created;

static void *waits_for_second(void *arg)
{
    (void)arg;
    sem_wait(&both_created);
    pthread_join(second, NULL);
    return NULL;
}

static void *waits_for_first(void *arg)
{
    (void)arg;
    sem_wait(&both_created);
    pthread_join(first, NULL);
    return NULL;
}

int main(void)
{
    sem_init(&both_created, 0, 0);
    pthread_create(&first, NULL, waits_for_second, NULL);
    pthread_create(&second, NULL, waits_for_first, NULL);
    sem_post(&both_created);
    sem_post(&both_created);
    pthread_exit(NULL);
}
