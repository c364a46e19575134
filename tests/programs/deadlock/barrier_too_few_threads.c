//@ verdict: defect
//@ defect: deadlock 12
//@ about: a barrier for three threads that only two reach
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void *worker(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
