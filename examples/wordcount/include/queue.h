/* queue.h: a queue of lines that threads take from until it is closed. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

#ifndef QUEUE_SIZE
#define QUEUE_SIZE 4
#endif

struct queue {
    const char *lines[QUEUE_SIZE];
    int first, count, closed;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

void queue_init(struct queue *q);
void queue_put(struct queue *q, const char *line);
/* The next line, or null if there will be no more. */
const char *queue_take(struct queue *q);
void queue_close(struct queue *q);
void queue_destroy(struct queue *q);

#endif
