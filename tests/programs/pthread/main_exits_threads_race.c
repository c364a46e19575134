//@ verdict: race
//@ race: finished 12 12
//@ about: main's pthread_exit does not order the threads that run on
#include <pthread.h>
#include <stddef.h>

static int finished;

static void *worker(void *arg)
{
    (void)arg;
    finished++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, NULL, worker, NULL);
    pthread_exit(NULL);
}
