//@ verdict: race-free
//@ about: a hazard pointer that is validated keeps an object alive
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct n {
    int v;
};
static _Atomic(struct n *) head;
static _Atomic(struct n *) hp;

static void *reader(void *a)
{
    struct n *p;
    do {
        p = atomic_load(&head);
        atomic_store(&hp, p);
    } while (p != atomic_load(&head));
    if (p) {
        int v = p->v;
        (void)v;
    }
    atomic_store(&hp, (struct n *)0);
    return 0;
}

static void *writer(void *a)
{
    struct n *o = atomic_exchange(&head, (struct n *)0);
    while (atomic_load(&hp) == o) {
    }
    o->v = 0;
    free(o);
    return 0;
}

int main(void)
{
    struct n *x = malloc(sizeof *x);
    x->v = 1;
    atomic_store(&head, x);
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
