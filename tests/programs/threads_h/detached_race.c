//@ verdict: race
//@ race: finished 13 23
//@ about: thrd_detach gives up the only order with the thread; sleeping is no synchronisation
#include <stdio.h>
#include <threads.h>
#include <time.h>

static int finished;

static int worker(void *arg)
{
    (void)arg;
    finished = 1;
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, worker, NULL);
    thrd_detach(t);
    thrd_sleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    printf("%d\n", finished);
    return 0;
}
