//@ verdict: race-free
//@ about: pthread spin locks protect like mutexes
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int total;

static void *worker(void *arg)
{
    pthread_spin_lock(&lock);
    total += *(int *)arg;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    pthread_t a, b;
    int x = 20, y = 22;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    int r = pthread_spin_trylock(&lock);
    assert(r == 0 || r == EBUSY);
    if (r == 0) {
        assert(total == 0 || total == 20 || total == 22 || total == 42);
        pthread_spin_unlock(&lock);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 42);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
