//@ verdict: race-free
//@ about: Goldilocks, section 7: one level of a B-link tree; data nodes move between containers and so change their lock
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define FANOUT 2

struct data {
    int key, datum;
};

/* Holds the keys up to `high`; those above are to the right. The lock protects it and its data. */
struct container {
    pthread_mutex_t lock;
    int count, high;
    struct data *data[FANOUT + 1];
    struct container *right;
};

static struct container *leftmost;

static struct container *new_container(int high, struct container *right)
{
    struct container *c = calloc(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    c->high = high;
    c->right = right;
    return c;
}

/* Locks the container in which a key belongs, going right as far as need be: only one lock is held at a time. */
static struct container *find(int key)
{
    struct container *c = leftmost;
    pthread_mutex_lock(&c->lock);
    while (key > c->high) {
        struct container *right = c->right;
        pthread_mutex_unlock(&c->lock);
        c = right;
        pthread_mutex_lock(&c->lock);
    }
    return c;
}

static void insert(int key, int datum)
{
    struct data *d = malloc(sizeof *d);
    d->key = key;
    d->datum = datum;
    struct container *c = find(key);
    int at = c->count++;
    for (; at > 0 && c->data[at - 1]->key > key; at--)
        c->data[at] = c->data[at - 1];
    c->data[at] = d;
    if (c->count > FANOUT) {
        /* The upper half moves to a new container on the right. */
        struct container *r = new_container(c->high, c->right);
        int keep = (FANOUT + 1) / 2;
        for (int i = keep; i < c->count; i++)
            r->data[r->count++] = c->data[i];
        c->count = keep;
        c->high = c->data[keep - 1]->key;
        c->right = r;
    }
    pthread_mutex_unlock(&c->lock);
}

static bool lookup(int key, int *datum)
{
    struct container *c = find(key);
    bool there = false;
    for (int i = 0; i < c->count; i++)
        if (c->data[i]->key == key) {
            *datum = c->data[i]->datum;
            there = true;
        }
    pthread_mutex_unlock(&c->lock);
    return there;
}

static bool delete(int key)
{
    struct container *c = find(key);
    struct data *gone = NULL;
    for (int i = 0; i < c->count; i++) {
        if (c->data[i]->key == key)
            gone = c->data[i];
        if (gone && i + 1 < c->count)
            c->data[i] = c->data[i + 1];
    }
    if (gone)
        c->count--;
    pthread_mutex_unlock(&c->lock);
    free(gone);
    return gone != NULL;
}

static void *first(void *arg)
{
    (void)arg;
    insert(5, 50);
    int datum;
    assert(lookup(5, &datum) && datum == 50);
    return NULL;
}

static void *second(void *arg)
{
    (void)arg;
    insert(15, 150);
    assert(delete(20));
    return NULL;
}

int main(void)
{
    leftmost = new_container(1000, NULL);
    insert(10, 100);
    insert(20, 200);
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int datum;
    assert(lookup(5, &datum) && lookup(10, &datum) && lookup(15, &datum) && !lookup(20, &datum));
    return 0;
}
