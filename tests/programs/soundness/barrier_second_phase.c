//@ verdict: race
//@ about: once answered wrongly because the last to arrive at a barrier has its fresh accesses marked as compared before they are
//@ race: x 19 19
//@ about: both threads write x between two barriers, after having done something before the first one
#include <pthread.h>

pthread_barrier_t bar;
int a[2];
int x;

void *work(void *arg)
{
    long id = (long)arg;
    a[id] = 1;
    pthread_barrier_wait(&bar);



    x = (int)id;
    pthread_barrier_wait(&bar);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&bar, 0, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
