//@ verdict: race-free
//@ options: --threads 2..3
//@ about: a program that asks the system how many threads to use gets every value of --threads
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int *parts;

static void *worker(void *arg)
{
    *(int *)arg += 2;
    return NULL;
}

int main(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    parts = calloc((size_t)n, sizeof *parts);
    pthread_t *t = calloc((size_t)n, sizeof *t);
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, worker, &parts[i]);
    long sum = 0;
    for (long i = 0; i < n; i++) {
        pthread_join(t[i], NULL);
        sum += parts[i];
    }
    assert(sum == 2 * n);
    free(t);
    free(parts);
    return 0;
}
