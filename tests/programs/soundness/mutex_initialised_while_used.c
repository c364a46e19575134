//@ verdict: race
//@ about: once answered wrongly because initialisation is local, and operations on locks are not compared with it
//@ races: at-least
//@ race: m 13 24
//@ about: initialising a mutex is not ordered with its use: both threads can be inside
#include <pthread.h>

pthread_mutex_t m;
int x;

void *work(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);

    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
