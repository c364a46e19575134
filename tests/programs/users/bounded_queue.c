//@ verdict: race-free
//@ about: a bounded queue of structs with two semaphores and a mutex
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CAP 2
#define N 4
struct item {
    int id;
    char name[16];
    double w;
};
static struct {
    struct item buf[CAP];
    unsigned in, out;
    sem_t empty, full;
    pthread_mutex_t lock;
} q;
static void put(const struct item *it)
{
    sem_wait(&q.empty);
    pthread_mutex_lock(&q.lock);
    q.buf[q.in++ % CAP] = *it;
    pthread_mutex_unlock(&q.lock);
    sem_post(&q.full);
}
static struct item get(void)
{
    struct item r;
    sem_wait(&q.full);
    pthread_mutex_lock(&q.lock);
    r = q.buf[q.out++ % CAP];
    pthread_mutex_unlock(&q.lock);
    sem_post(&q.empty);
    return r;
}
static void *producer(void *a)
{
    for (int i = 0; i < N; i++) {
        struct item it = {.id = i, .w = i * 0.5};
        snprintf(it.name, sizeof it.name, "item-%d", i);
        put(&it);
    }
    return a;
}
static void *consumer(void *a)
{
    double *sum = a;
    for (int i = 0; i < N; i++) {
        struct item it = get();
        if (strncmp(it.name, "item-", 5))
            abort();
        *sum += it.w;
    }
    return NULL;
}
int main(void)
{
    sem_init(&q.empty, 0, CAP);
    sem_init(&q.full, 0, 0);
    pthread_mutex_init(&q.lock, 0);
    pthread_t p, c;
    double sum = 0;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, &sum);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    printf("sum %.2f\n", sum);
    if (sum != 3.0)
        abort();
    sem_destroy(&q.empty);
    sem_destroy(&q.full);
    return 0;
}
