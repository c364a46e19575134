//@ verdict: race-free
//@ about: an object that carries its lock, updated through a function
#include <assert.h>
#include <omp.h>
#include <stdlib.h>

struct counter {
    omp_lock_t lock;
    long value;
};

static void add(struct counter *c, long v)
{
    omp_set_lock(&c->lock);
    c->value += v;
    omp_unset_lock(&c->lock);
}

int main(void)
{
    struct counter *c = malloc(sizeof *c);
    omp_init_lock(&c->lock);
    c->value = 0;
#pragma omp parallel for
    for (int i = 0; i < 80; i++)
        add(c, i);
    assert(c->value == 3160);
    omp_destroy_lock(&c->lock);
    free(c);
    return 0;
}
