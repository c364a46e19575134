//@ verdict: race
//@ race: s 9 16
//@ defect: lock-misuse 9
//@ about: destroying a semaphore on which a thread may wait is undefined, and not ordered with the wait
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
