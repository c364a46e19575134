//@ verdict: race
//@ race: hits 15 15
//@ defect: lock-misuse 16
//@ about: the result of trylock is ignored: the loser writes without the lock and unlocks what it does not hold
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_trylock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
