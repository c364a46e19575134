//@ verdict: race-free
//@ about: a pointer published with release and read with consume; the data is reached through it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int size;
};

static struct settings *_Atomic current;

static void *publisher(void *arg)
{
    (void)arg;
    struct settings *s = malloc(sizeof *s);
    s->size = 64;
    atomic_store_explicit(&current, s, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publisher, NULL);
    struct settings *s = atomic_load_explicit(&current, memory_order_consume);
    if (s)
        assert(s->size == 64);
    pthread_join(t, NULL);
    free(atomic_load(&current));
    return 0;
}
