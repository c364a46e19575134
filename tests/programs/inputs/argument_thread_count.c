//@ verdict: race-free
//@ options: --arg 1..3
//@ about: the number of threads comes from the command line; every value of the range is checked
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int joined;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    joined += *(int *)arg;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s THREADS\n", argv[0]);
        return 2;
    }
    assert(argv[argc] == NULL);
    int n = atoi(argv[1]);
    assert(n >= 1 && n <= 3);
    pthread_t *t = malloc((size_t)n * sizeof *t);
    int one = 1;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, worker, &one);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    assert(joined == n);
    free(t);
    return 0;
}
