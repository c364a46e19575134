//@ verdict: race
//@ race: box 15 25
//@ about: the semaphore is posted before the data is written
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t filled;
static int box;

static void *filler(void *arg)
{
    (void)arg;
    sem_post(&filled);
    box = 10;
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&filled, 0, 0);
    pthread_create(&t, NULL, filler, NULL);
    sem_wait(&filled);
    printf("%d\n", box);
    pthread_join(t, NULL);
    return 0;
}
