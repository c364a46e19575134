#include "queue.h"

void queue_init(struct queue *q) {
    q->first = q->count = q->closed = 0;
    pthread_mutex_init(&q->lock, 0);
    pthread_cond_init(&q->changed, 0);
}

void queue_put(struct queue *q, const char *line) {
    pthread_mutex_lock(&q->lock);
    while (q->count == QUEUE_SIZE) pthread_cond_wait(&q->changed, &q->lock);
    q->lines[(q->first + q->count++) % QUEUE_SIZE] = line;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

const char *queue_take(struct queue *q) {
    const char *line = 0;
    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !q->closed) pthread_cond_wait(&q->changed, &q->lock);
    if (q->count > 0) {
        line = q->lines[q->first];
        q->first = (q->first + 1) % QUEUE_SIZE;
        q->count--;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return line;
}

void queue_close(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    q->closed = 1;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void queue_destroy(struct queue *q) {
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
}
