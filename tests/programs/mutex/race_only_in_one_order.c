//@ verdict: race
//@ race: x 13 27
//@ about: the lock orders the accesses in one schedule only; the race shows when main gets the lock first
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *first(void *arg)
{
    (void)arg;
    x = 1;
    pthread_mutex_lock(&lock);
    y++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    pthread_mutex_lock(&lock);
    y++;
    pthread_mutex_unlock(&lock);
    int seen = x;
    pthread_join(t, NULL);
    printf("%d %d\n", seen, y);
    return 0;
}
