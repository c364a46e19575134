//@ verdict: race
//@ about: once answered wrongly because the shadow of the argument of a thread is dropped
//@ race: x 13 21
//@ about: an unconstrained value steers a thread through its argument; one value of it is not all
#include <pthread.h>
#include <stdlib.h>

int x;

void *work(void *arg)
{
    if ((long)arg > 5)
        x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, (void *)(long)rand());
    x = 2;
    pthread_join(t, 0);
    return 0;
}
