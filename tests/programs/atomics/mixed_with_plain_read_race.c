//@ verdict: race
//@ race: hits 12 21
//@ about: an atomic increment and a plain read of the same variable conflict
#include <pthread.h>
#include <stdio.h>

static int hits;

static void *worker(void *arg)
{
    (void)arg;
    __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    printf("so far %d\n", hits);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
