//@ verdict: race
//@ race: job->size|*job|job 16 26
//@ defect: use-after-free 16
//@ about: main frees what the thread still uses; free counts as a write
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    int size;
};

static void *worker(void *arg)
{
    struct job *job = arg;
    printf("%d\n", job->size);
    return NULL;
}

int main(void)
{
    struct job *job = malloc(sizeof *job);
    job->size = 3;
    pthread_t t;
    pthread_create(&t, NULL, worker, job);
    free(job);
    pthread_join(t, NULL);
    return 0;
}
