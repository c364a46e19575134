//@ verdict: race-free
//@ about: with seq_cst at least one of the two threads sees the other's store
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r1, r2;

static void *left(void *arg)
{
    (void)arg;
    atomic_store(&x, 1);
    r1 = atomic_load(&y);
    return NULL;
}

static void *right(void *arg)
{
    (void)arg;
    atomic_store(&y, 1);
    r2 = atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
