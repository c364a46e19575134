//@ verdict: defect
//@ defect: deadlock 31
//@ about: the first value of a semaphore depends on who came first
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static unsigned first = 1;
static void *change(void *arg)
{
    pthread_mutex_lock(&guard);
    first = 0;
    pthread_mutex_unlock(&guard);
    return arg;
}
static void *wait(void *arg)
{
    sem_t s;
    pthread_mutex_lock(&guard);
    unsigned n = first;
    pthread_mutex_unlock(&guard);
    sem_init(&s, 0, n);

    sem_wait(&s);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, wait, 0);
    pthread_create(&t[1], 0, change, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
