//@ verdict: race
//@ about: once answered wrongly because accesses before a choice are marked as compared before they are
//@ race: x 15 34
//@ about: an access right before a choice, in a thread that has just created another one
#include <pthread.h>

int raceproof_range(int lo, int hi);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *first(void *arg)
{
    (void)arg;
    x = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

void *second(void *arg) { return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    y = 1;
    pthread_create(&b, 0, second, 0);


    /* Two segments in main's history now. */
    x = 2;
    int c = raceproof_range(0, 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return c > 1;
}
