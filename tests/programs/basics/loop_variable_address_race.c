//@ verdict: race
//@ race: i 20 11
//@ about: the address of the loop variable is passed to every thread while the loop still changes it
#include <pthread.h>
#include <stdio.h>

#define THREADS 2

static void *worker(void *arg)
{
    int me = *(int *)arg;
    printf("thread %d\n", me);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    int i;
    for (i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, &i);
    for (int k = 0; k < THREADS; k++)
        pthread_join(t[k], NULL);
    return 0;
}
