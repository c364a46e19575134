//@ verdict: race
//@ race: box 14 25
//@ about: sem_trywait may fail; the data is read anyway
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t filled;
static int box;

static void *filler(void *arg)
{
    (void)arg;
    box = 10;
    sem_post(&filled);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&filled, 0, 0);
    pthread_create(&t, NULL, filler, NULL);
    sem_trywait(&filled);
    printf("%d\n", box);
    pthread_join(t, NULL);
    return 0;
}
