//@ verdict: defect
//@ defect: lock-misuse 15
//@ about: destroying a semaphore on which a thread waits is undefined
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static void *wait(void *arg) { sem_wait(&s); return arg; }
int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, wait, 0);

    sem_destroy(&s);
    pthread_detach(t);
    return 0;
}
