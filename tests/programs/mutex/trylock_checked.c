//@ verdict: race-free
//@ about: the data is touched only if trylock returned 0
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits, misses[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    int r = pthread_mutex_trylock(&lock);
    if (r == 0) {
        hits++;
        pthread_mutex_unlock(&lock);
    } else {
        assert(r == EBUSY);
        misses[me]++;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(hits >= 1);
    assert(hits + misses[0] + misses[1] == 2);
    return 0;
}
