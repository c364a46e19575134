//@ verdict: race-free
//@ about: read locks may be nested where nobody writes meanwhile; trylock is never refused because of readers
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *r(void *p)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    assert(x == 1);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    pthread_create(&t, 0, r, 0);
    r(0);
    pthread_join(t, 0);
    pthread_rwlock_wrlock(&l);
    x = 2;
    pthread_rwlock_unlock(&l);
    return 0;
}
