/* Counts words with a few threads that share a queue of lines. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#include "count.h"
#include "queue.h"

#ifndef WORKERS
#define WORKERS 2
#endif

static struct queue queue;
static struct counts counts;

static void *worker(void *arg) {
    (void)arg;
    for (const char *line; (line = queue_take(&queue));) counts_add_line(&counts, line);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    queue_init(&queue);
    counts_init(&counts);
    for (int i = 0; i < WORKERS; i++) pthread_create(&threads[i], 0, worker, 0);
    queue_put(&queue, "one or");
    queue_put(&queue, "two");
    queue_close(&queue);
    for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], 0);
    printf("%d words\n", counts_total(&counts));
    assert(counts_total(&counts) == 3);
    queue_destroy(&queue);
    return 0;
}
