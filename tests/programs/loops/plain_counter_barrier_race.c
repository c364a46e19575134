//@ verdict: race
//@ race: arrived 15 15
//@ race: arrived 15 17
//@ about: a home-made barrier that counts arrivals in a plain variable
#include <pthread.h>
#include <stddef.h>

static volatile int arrived;
static int part[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    part[me] = me;
    arrived++;
    for (int tries = 0; tries < 3; tries++)
        if (arrived == 2)
            break;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
