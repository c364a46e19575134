//@ verdict: race
//@ race: c->x|old->x 18 30
//@ race: c->y|old->y 18 30
//@ about: a writer frees the old object while readers may still use it
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct conf {
    int x, y;
};
static _Atomic(struct conf *) cur;
static atomic_int readers;

static void *reader(void *a)
{
    atomic_fetch_add(&readers, 1);
    struct conf *c = atomic_load(&cur);
    int s = c->x + c->y;
    (void)s;
    atomic_fetch_sub(&readers, 1);
    return 0;
}

static void *writer(void *a)
{
    struct conf *n = malloc(sizeof *n);
    n->x = 3;
    n->y = 4;
    struct conf *old = atomic_exchange(&cur, n);
    free(old);
    return 0;
}

int main(void)
{
    struct conf *c = malloc(sizeof *c);
    c->x = 1;
    c->y = 2;
    atomic_store(&cur, c);
    pthread_t r1, r2, w;
    pthread_create(&r1, 0, reader, 0);
    pthread_create(&r2, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r1, 0);
    pthread_join(r2, 0);
    pthread_join(w, 0);
    free(atomic_load(&cur));
    return 0;
}
