//@ verdict: race
//@ race: value 24 14
//@ about: the reader reads even if tryrdlock failed
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *arg)
{
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    value = 5;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int held = pthread_rwlock_tryrdlock(&lock) == 0;
    int seen = value;
    if (held)
        pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return seen == 0 || seen == 5 ? 0 : 1;
}
