//@ verdict: race
//@ race: x 15 25
//@ about: figure 4 left, broken: the signal is sent before the write
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int x;
static atomic_int s;

static void *sender(void *arg)
{
    (void)arg;
    atomic_store(&s, 1);
    x = 1;
    return NULL;
}

static void *receiver(void *arg)
{
    (void)arg;
    int done = 0;
    while (!done)
        done = atomic_load(&s);
    x = 2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
