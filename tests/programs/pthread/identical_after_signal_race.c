//@ verdict: race
//@ race: x 17 29
//@ options: --engine race-graph
//@ about: main waits until all threads alike are nearly done, and reads between two joins what the first writes at its end
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int ticket;
static int x;

static void *work(void *arg)
{
    int mine = atomic_fetch_add(&ticket, 1);
    sem_post(&done);
    if (mine == 0) x = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&done, 0, 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    sem_wait(&done), sem_wait(&done);
    pthread_join(a, NULL);
    int seen = x;
    pthread_join(b, NULL);
    return seen & 0;
}
