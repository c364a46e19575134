//@ verdict: race
//@ race: level 21 12
//@ about: atomic_init is not an atomic operation; even an atomic load races with it
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int level;

static void *worker(void *arg)
{
    *(int *)arg = atomic_load(&level);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, NULL, worker, &seen);
    atomic_init(&level, 3);
    pthread_join(t, NULL);
    return 0;
}
