/* A bounded buffer between a producer and a consumer, with one mutex and two condition variables.
 * `raceproof check queue.c` proves that nothing races, nobody waits for ever, and the items arrive in order. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define CAPACITY 2
#define ITEMS 3

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int items[CAPACITY];
    unsigned head, count;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .not_full = PTHREAD_COND_INITIALIZER,
           .not_empty = PTHREAD_COND_INITIALIZER};

static void put(int item)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.count == CAPACITY)
        pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.items[(queue.head + queue.count) % CAPACITY] = item;
    queue.count++;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

static int get(void)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0)
        pthread_cond_wait(&queue.not_empty, &queue.lock);
    int item = queue.items[queue.head];
    queue.head = (queue.head + 1) % CAPACITY;
    queue.count--;
    pthread_cond_signal(&queue.not_full);
    pthread_mutex_unlock(&queue.lock);
    return item;
}

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++)
        put(i * i);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < ITEMS; i++)
        assert(get() == i * i);
    pthread_join(t, NULL);
    assert(queue.count == 0);
    return 0;
}
