//@ verdict: race
//@ race: job->done|copy->done|*job 21 21
//@ about: an input in a struct on the heap, copied there, decides about its lock
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct job {
    short priority;
    int size;
    pthread_mutex_t lock;
    int done;
};

static void *worker(void *arg)
{
    struct job *job = arg;
    if (job->size > 100)
        pthread_mutex_lock(&job->lock);
    if (job->size >= 100)
        job->done++;
    if (job->size > 100)
        pthread_mutex_unlock(&job->lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct job *job = malloc(sizeof *job);
    struct job copy;
    copy.priority = 1;
    copy.size = __VERIFIER_nondet_int();
    copy.done = 0;
    *job = copy;
    pthread_mutex_init(&job->lock, NULL);
    pthread_create(&a, NULL, worker, job);
    pthread_create(&b, NULL, worker, job);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_destroy(&job->lock);
    free(job);
    return 0;
}
