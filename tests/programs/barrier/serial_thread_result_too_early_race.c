//@ verdict: race
//@ race: total 16 17
//@ about: the other threads use what the serial thread computes without a second barrier
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int part[2];
static int total;

static void *worker(void *arg)
{
    int me = *(int *)arg;
    part[me] = me + 3;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        total = part[0] + part[1];
    printf("%d\n", total);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int id[2] = {0, 1};
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, &id[1]);
    worker(&id[0]);
    pthread_join(t, NULL);
    return 0;
}
