//@ verdict: race-free
//@ about: each thread writes its part, all meet, then each reads the other's part
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int part[2], total[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    part[me] = 10 * (me + 1);
    int r = pthread_barrier_wait(&barrier);
    assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
    total[me] = part[0] + part[1];
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = {0, 1};
    assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(total[0] == 30 && total[1] == 30);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
