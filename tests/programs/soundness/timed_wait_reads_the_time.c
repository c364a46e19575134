//@ verdict: race
//@ about: once answered wrongly because the read of the time is not recorded
//@ race: until|until.tv_sec 12 22
//@ about: pthread_mutex_timedlock reads the time
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec until;
void *work(void *arg)
{
    until.tv_sec = 5;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);


    if (!pthread_mutex_timedlock(&m, &until))
        pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
