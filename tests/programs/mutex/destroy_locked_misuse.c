//@ verdict: defect
//@ defect: lock-misuse 27
//@ about: a mutex is destroyed while it is held
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t lock;
    int length;
};

static void *drain(void *arg)
{
    struct queue *q = arg;
    pthread_mutex_lock(&q->lock);
    q->length = 0;
    return NULL; /* forgot to unlock */
}

int main(void)
{
    struct queue *q = calloc(1, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    pthread_t t;
    pthread_create(&t, NULL, drain, q);
    pthread_join(t, NULL);
    pthread_mutex_destroy(&q->lock);
    free(q);
    return 0;
}
