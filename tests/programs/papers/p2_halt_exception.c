//@ verdict: race-free
//@ about: Goldilocks, section 7 (from Havelund and Pressburger): work items pass through a buffer, with a halt at the end
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define ITEMS 3
#define ROOM 2

struct item {
    int input, output;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static struct item *buffer[ROOM];
static int used, first;
static bool halted;

static void put(struct item *item)
{
    pthread_mutex_lock(&lock);
    while (used == ROOM)
        pthread_cond_wait(&not_full, &lock);
    buffer[(first + used++) % ROOM] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

/* No more items will come: who waits for one is told. */
static void halt(void)
{
    pthread_mutex_lock(&lock);
    halted = true;
    pthread_cond_broadcast(&not_empty);
    pthread_mutex_unlock(&lock);
}

/* The next item, or NULL after the halt. */
static struct item *get(void)
{
    struct item *item = NULL;
    pthread_mutex_lock(&lock);
    while (used == 0 && !halted)
        pthread_cond_wait(&not_empty, &lock);
    if (used > 0) {
        item = buffer[first];
        first = (first + 1) % ROOM;
        used--;
        pthread_cond_signal(&not_full);
    }
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        struct item *item = malloc(sizeof *item);
        item->input = i;
        item->output = 0;
        put(item);
    }
    halt();
    return NULL;
}

static void *consume(void *arg)
{
    int n = 0;
    (void)arg;
    for (struct item *item; (item = get()); n++) {
        assert(item->input == n && item->output == 0);
        item->output = item->input + 1;
        free(item);
    }
    assert(n == ITEMS);
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, produce, NULL);
    pthread_create(&c, NULL, consume, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
