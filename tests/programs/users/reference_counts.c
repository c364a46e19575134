//@ verdict: race-free
//@ about: reference counting with a destructor in the object
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    atomic_int refs;
    char *data;
    void (*drop)(void *);
} obj;
static void drop_text(void *p)
{
    free(p);
}
static obj *make(const char *s)
{
    obj *o = malloc(sizeof *o);
    atomic_init(&o->refs, 1);
    o->data = strdup(s);
    o->drop = drop_text;
    return o;
}
static obj *ref(obj *o)
{
    atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
    return o;
}
static void unref(obj *o)
{
    if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) == 1) {
        o->drop(o->data);
        free(o);
    }
}
static void *w(void *p)
{
    obj *o = p;
    size_t n = strlen(o->data);
    unref(o);
    return (void *)n;
}
int main(void)
{
    obj *o = make("hello");
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, w, ref(o));
    unref(o);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
