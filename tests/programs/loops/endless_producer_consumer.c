//@ verdict: race-free
//@ about: two threads pass a token round and round for ever; the states are finite
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t empty, full;
static int slot;

static void *producer(void *arg)
{
    (void)arg;
    int next = 0;
    for (;;) {
        sem_wait(&empty);
        slot = next;
        sem_post(&full);
        next = (next + 1) % 3;
    }
}

int main(void)
{
    pthread_t t;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    int expect = 0;
    for (;;) {
        sem_wait(&full);
        assert(slot == expect);
        sem_post(&empty);
        expect = (expect + 1) % 3;
    }
}
