//@ verdict: race
//@ race: shared 18 18
//@ about: each thread locks its own copy of the mutex, which protects nothing
#include <pthread.h>
#include <stddef.h>

static int shared;

struct job {
    pthread_mutex_t lock;
    int amount;
};

static void *worker(void *arg)
{
    struct job *job = arg;
    pthread_mutex_lock(&job->lock);
    shared += job->amount;
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

int main(void)
{
    struct job jobs[2] = {
        {PTHREAD_MUTEX_INITIALIZER, 1},
        {PTHREAD_MUTEX_INITIALIZER, 2},
    };
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
