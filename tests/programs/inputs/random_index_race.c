//@ verdict: race
//@ race: slots[3] 11 20
//@ about: a random index below four
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
    int i = rand() % 4;
    pthread_create(&t, NULL, worker, NULL);
    slots[i] = 2;
    pthread_join(t, NULL);
    return 0;
}
