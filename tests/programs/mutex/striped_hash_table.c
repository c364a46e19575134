//@ verdict: race-free
//@ about: a hash table with one lock a bucket
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 2
struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

static struct {
    pthread_mutex_t lock;
    struct entry *first;
} table[BUCKETS] = {{PTHREAD_MUTEX_INITIALIZER, NULL}, {PTHREAD_MUTEX_INITIALIZER, NULL}};

static void put(unsigned key, int value)
{
    unsigned b = key % BUCKETS;
    struct entry *e = malloc(sizeof *e);
    *e = (struct entry){key, value, NULL};
    pthread_mutex_lock(&table[b].lock);
    e->next = table[b].first;
    table[b].first = e;
    pthread_mutex_unlock(&table[b].lock);
}

static int get(unsigned key)
{
    int result = -1;
    unsigned b = key % BUCKETS;
    pthread_mutex_lock(&table[b].lock);
    for (struct entry *e = table[b].first; e; e = e->next)
        if (e->key == key)
            result = e->value;
    pthread_mutex_unlock(&table[b].lock);
    return result;
}

static void *writer(void *arg)
{
    unsigned key = *(unsigned *)arg;
    put(key, (int)key * 10);
    put(key + 1, (int)key * 10 + 10);
    return NULL;
}

int main(void)
{
    pthread_t t;
    unsigned key = 4;
    pthread_create(&t, NULL, writer, &key);
    put(6, 60);
    int early = get(4);
    assert(early == -1 || early == 40);
    pthread_join(t, NULL);
    assert(get(4) == 40 && get(5) == 50 && get(6) == 60 && get(7) == -1);
    return 0;
}
