//@ verdict: race-free
//@ about: an _Atomic struct too large for one instruction goes through the atomic library calls
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct triple {
    long a, b, c;
};

static _Atomic struct triple state;

static void *writer(void *arg)
{
    (void)arg;
    atomic_store(&state, ((struct triple){1, 2, 3}));
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_init(&state, ((struct triple){0, 0, 0}));
    pthread_create(&t, NULL, writer, NULL);
    struct triple seen = atomic_load(&state);
    assert((seen.a == 0 && seen.b == 0 && seen.c == 0) || (seen.a == 1 && seen.b == 2 && seen.c == 3));
    pthread_join(t, NULL);
    seen = atomic_load(&state);
    assert(seen.a == 1 && seen.b == 2 && seen.c == 3);
    return 0;
}
