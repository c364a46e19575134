//@ verdict: race
//@ race: a 14 22
//@ options: --engine race-graph
//@ about: the lock and the atomic store commute, but the plain read that follows the lock races with the store
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *stores(void *arg)
{
    (void)arg;
    atomic_store(&a, 2);
    return 0;
}

static void *reads(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    int seen = *(int *)&a;
    pthread_mutex_unlock(&lock);
    return seen ? arg : 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, stores, 0);
    pthread_create(&u, 0, reads, 0);
    pthread_exit(0);
}
