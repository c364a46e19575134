//@ verdict: race
//@ race: x 17 30
//@ about: figure 4 right, broken: thread 1 writes before it has taken the lock that thread 0 hands over
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int x = 7;

static void *thread0(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&l0);
    pthread_barrier_wait(&barrier);
    x = 0;
    pthread_mutex_unlock(&l0);
    pthread_mutex_lock(&l1);
    pthread_barrier_wait(&barrier);
    pthread_mutex_unlock(&l1);
    return NULL;
}

static void *thread1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&l1);
    pthread_barrier_wait(&barrier);
    x = 1;
    pthread_mutex_lock(&l0);
    pthread_mutex_unlock(&l1);
    pthread_barrier_wait(&barrier);
    pthread_mutex_unlock(&l0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, thread0, NULL);
    pthread_create(&b, NULL, thread1, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
