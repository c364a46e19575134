//@ verdict: race
//@ race: x 12 24
//@ about: a trylock that is called through a pointer can tell that a lock is held without being ordered
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int (*volatile try)(pthread_mutex_t *) = pthread_mutex_trylock;
int x, y;

void *work(void *arg)
{
    x = 1;
    pthread_mutex_lock(&m);
    y = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (try(&m))
        x = 2;
    else
        pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
