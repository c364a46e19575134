//@ verdict: race-free
//@ options: --engine race-graph
//@ about: threads alike meet at a barrier, and any of them may be told that it is the serial one
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, serials;

static void *work(void *arg)
{
    int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_mutex_lock(&lock);
    count++;
    serials += serial;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(count == 3 && serials == 1);
    return 0;
}
