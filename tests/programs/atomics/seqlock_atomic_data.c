//@ verdict: race-free
//@ about: a sequence lock over atomic data; an accepted reading is consistent
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint sequence;
static atomic_int px, py;

static void *writer(void *arg)
{
    (void)arg;
    atomic_fetch_add(&sequence, 1);
    atomic_store(&px, 1);
    atomic_store(&py, 1);
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    unsigned before, after;
    int x, y;
    do {
        before = atomic_load(&sequence);
        x = atomic_load(&px);
        y = atomic_load(&py);
        after = atomic_load(&sequence);
    } while (before != after || before % 2);
    assert(x == y);
    pthread_join(t, NULL);
    return 0;
}
