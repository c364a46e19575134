//@ verdict: race-free
//@ about: tryrdlock, trywrlock, timedrdlock and timedwrlock, each with its failure handled
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;
static int value;

static void *reader(void *arg)
{
    int *seen = arg;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    if (pthread_rwlock_tryrdlock(&lock) == 0 || pthread_rwlock_timedrdlock(&lock, &until) == 0) {
        *seen = value;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *writer(void *arg)
{
    int *wrote = arg;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    int r = pthread_rwlock_trywrlock(&lock);
    if (r == EBUSY)
        r = pthread_rwlock_timedwrlock(&lock, &until);
    if (r == 0) {
        value = 5;
        *wrote = 1;
        pthread_rwlock_unlock(&lock);
    } else {
        assert(r == ETIMEDOUT);
    }
    return NULL;
}

int main(void)
{
    pthread_t r, w;
    int seen = -1, wrote = 0;
    assert(pthread_rwlock_init(&lock, NULL) == 0);
    pthread_create(&r, NULL, reader, &seen);
    pthread_create(&w, NULL, writer, &wrote);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    assert(seen == -1 || seen == 0 || seen == 5);
    assert(value == (wrote ? 5 : 0));
    pthread_rwlock_destroy(&lock);
    return 0;
}
