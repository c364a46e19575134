//@ verdict: race
//@ race: c->value|value|p->value 16 22
//@ about: an object that carries its lock; the reader does without
#include <omp.h>
#include <stdio.h>
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

static long get(const struct counter *c)
{
    return c->value;
}

int main(void)
{
    struct counter *c = malloc(sizeof *c);
    long seen[80];
    omp_init_lock(&c->lock);
    c->value = 0;
#pragma omp parallel for
    for (int i = 0; i < 80; i++) {
        add(c, i);
        seen[i] = get(c);
    }
    printf("%ld\n", seen[0]);
    omp_destroy_lock(&c->lock);
    free(c);
    return 0;
}
