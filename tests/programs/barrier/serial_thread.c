//@ verdict: race-free
//@ about: exactly one thread of each round is the serial thread; it alone combines the parts
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int part[2];
static int total, combined;

static void *worker(void *arg)
{
    int me = *(int *)arg;
    part[me] = me + 3;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        total = part[0] + part[1];
        combined++;
    }
    pthread_barrier_wait(&barrier);
    assert(total == 7);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int id[2] = {0, 1};
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, &id[1]);
    worker(&id[0]);
    pthread_join(t, NULL);
    assert(combined == 1);
    return 0;
}
