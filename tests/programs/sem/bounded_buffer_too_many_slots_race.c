//@ verdict: race
//@ race: buffer[0] 18 33
//@ about: the semaphore allows one item more than the buffer holds
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#define SLOTS 2
#define ITEMS 3
static sem_t empty, full;
static int buffer[SLOTS];

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&empty);
        buffer[i % SLOTS] = i * i;
        sem_post(&full);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&empty, 0, SLOTS + 1);
    sem_init(&full, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    int sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&full);
        sum += buffer[i % SLOTS];
        sem_post(&empty);
    }
    pthread_join(t, NULL);
    return sum < 0;
}
