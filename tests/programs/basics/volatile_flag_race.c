//@ verdict: race
//@ race: ready 16 24
//@ races: at-least
//@ may-race: message 15 25
//@ about: volatile does not synchronise: both the flag and the data that it should protect race
#include <pthread.h>
#include <stdio.h>

static int message;
static volatile int ready;

static void *producer(void *arg)
{
    (void)arg;
    message = 42;
    ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    if (ready)
        printf("%d\n", message);
    pthread_join(t, NULL);
    return 0;
}
