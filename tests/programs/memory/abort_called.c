//@ verdict: defect
//@ defect: abort 14
//@ about: a thread gives up with abort when it is the second to come
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int running;

static void *singleton(void *arg)
{
    (void)arg;
    if (atomic_fetch_add(&running, 1) > 0)
        abort();
    atomic_fetch_sub(&running, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, singleton, NULL);
    pthread_create(&b, NULL, singleton, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
