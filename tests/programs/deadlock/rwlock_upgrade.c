//@ verdict: defect
//@ defect: deadlock 15
//@ about: two readers both want to become writers
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached = -1;

static void *lookup(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    if (cached < 0) {
        pthread_rwlock_wrlock(&lock);
        cached = 42;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, lookup, NULL);
    pthread_create(&b, NULL, lookup, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
