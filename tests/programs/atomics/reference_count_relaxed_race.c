//@ verdict: race
//@ race: o->used[0]|o->used[*]|*o|o 35 18
//@ race: o->used[1]|o->used[*]|*o|o 24 18
//@ race: o->owners|*o|o 17 18
//@ about: relaxed decrements do not order the uses of one owner before the free of the other
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int owners;
    int used[2];
};

static void drop(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->owners, 1, memory_order_relaxed) == 1)
        free(o);
}

static void *worker(void *arg)
{
    struct object *o = arg;
    o->used[1] = 1;
    drop(o);
    return NULL;
}

int main(void)
{
    struct object *o = calloc(1, sizeof *o);
    atomic_init(&o->owners, 2);
    pthread_t t;
    pthread_create(&t, NULL, worker, o);
    o->used[0] = 1;
    drop(o);
    pthread_join(t, NULL);
    return 0;
}
