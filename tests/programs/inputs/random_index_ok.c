//@ verdict: race-free
//@ about: a random index below three
#include <pthread.h>
#include <stdlib.h>

static int slots[4];

static void *worker(void *arg)
{
    slots[3] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int i = rand() % 3;
    pthread_create(&t, NULL, worker, NULL);
    slots[i] = 2;
    pthread_join(t, NULL);
    return 0;
}
