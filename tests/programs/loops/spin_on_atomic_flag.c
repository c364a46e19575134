//@ verdict: race-free
//@ about: a spin loop whose states repeat; the search ends all the same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int go;
static int payload;

static void *waiter(void *arg)
{
    (void)arg;
    while (atomic_load(&go) == 0)
        ;
    assert(payload == 9);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    payload = 9;
    atomic_store(&go, 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
