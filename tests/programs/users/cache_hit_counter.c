//@ verdict: race
//@ race: e->hits 31 31
//@ about: a cache under a read-write lock counts hits while it holds it for reading
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define B 4
struct ent {
    char *key;
    int val;
    unsigned hits;
    struct ent *next;
};
static struct ent *tab[B];
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % B;
}
static int lookup(const char *k, int *out)
{
    int r = 0;
    pthread_rwlock_rdlock(&rw);
    for (struct ent *e = tab[hash(k)]; e; e = e->next)
        if (!strcmp(e->key, k)) {
            *out = e->val;
            e->hits++;
            r = 1;
            break;
        }
    pthread_rwlock_unlock(&rw);
    return r;
}
static void insert(const char *k, int v)
{
    struct ent *e = malloc(sizeof *e);
    e->key = strdup(k);
    e->val = v;
    e->hits = 0;
    pthread_rwlock_wrlock(&rw);
    e->next = tab[hash(k)];
    tab[hash(k)] = e;
    pthread_rwlock_unlock(&rw);
}
static void *reader(void *a)
{
    int v;
    if (lookup("alpha", &v))
        printf("%s %d\n", (char *)a, v);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    insert("alpha", 1);
    pthread_create(&a, NULL, reader, "a");
    pthread_create(&b, NULL, reader, "b");
    insert("beta", 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
