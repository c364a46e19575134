//@ verdict: race-free
//@ about: double-checked initialisation with an atomic pointer, release and acquire
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int value;
};

static struct config *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void)
{
    struct config *c = atomic_load_explicit(&instance, memory_order_acquire);
    if (!c) {
        pthread_mutex_lock(&lock);
        c = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!c) {
            c = malloc(sizeof *c);
            c->value = 42;
            atomic_store_explicit(&instance, c, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return c;
}

static void *worker(void *arg)
{
    *(int *)arg = get()->value;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x, y;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 42 && y == 42);
    free(atomic_load(&instance));
    return 0;
}
