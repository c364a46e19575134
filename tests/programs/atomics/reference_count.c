//@ verdict: race-free
//@ about: the last owner frees: acq_rel decrements order all uses before the free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int owners;
    int used[2];
};

static void drop(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->owners, 1, memory_order_acq_rel) == 1) {
        assert(o->used[0] == 1 && o->used[1] == 1);
        free(o);
    }
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
