//@ verdict: race-free
//@ about: each thread gets its own copy of the index
#include <assert.h>
#include <pthread.h>

#define THREADS 3
static int ids[THREADS];
static int out[THREADS];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    out[me] = me + 100;
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        pthread_create(&t[i], NULL, worker, &ids[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert(out[i] == 100 + i);
    return 0;
}
