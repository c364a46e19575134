//@ verdict: race
//@ race: x 15 26
//@ options: --engine race-graph
//@ about: of two threads alike one is joined: the other may be the one with the second ticket
#include <pthread.h>
#include <semaphore.h>

static sem_t tickets;
static int x;

static void *work(void *arg)
{
    /* one ticket only */
    if (sem_trywait(&tickets) != 0)
        x = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&tickets, 0, 1);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(b, NULL);
    return x & 0;
}
