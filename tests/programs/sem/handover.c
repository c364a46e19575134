//@ verdict: race-free
//@ about: post after the write, wait before the read; trywait and getvalue tell the count
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t filled;
static int box[2];

static void *filler(void *arg)
{
    (void)arg;
    box[0] = 10;
    sem_post(&filled);
    box[1] = 20;
    sem_post(&filled);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int count;
    sem_init(&filled, 0, 0);
    assert(sem_trywait(&filled) == -1 && errno == EAGAIN);
    pthread_create(&t, NULL, filler, NULL);
    sem_wait(&filled);
    assert(box[0] == 10);
    sem_wait(&filled);
    assert(box[1] == 20);
    pthread_join(t, NULL);
    sem_getvalue(&filled, &count);
    assert(count == 0);
    return 0;
}
