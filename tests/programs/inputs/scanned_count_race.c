//@ verdict: race
//@ race: total 12 12
//@ about: the number of threads is read from standard input and cut off; no lock
#include <pthread.h>
#include <stdio.h>

static long total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    total += *(int *)arg;
    return NULL;
}

int main(void)
{
    int threads, value;
    pthread_t ids[2];
    if (scanf("%d %d", &threads, &value) != 2 || threads < 1)
        return 1;
    if (threads > 2)
        threads = 2;
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, worker, &value);
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    printf("%ld\n", total);
    return 0;
}
