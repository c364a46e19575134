//@ verdict: defect
//@ defect: assertion 18
//@ about: releasing the write lock before taking the read lock lets another writer in between
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int version;

static void *editor(void *arg)
{
    int mine = *(int *)arg;
    pthread_rwlock_wrlock(&lock);
    version = mine;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    assert(version == mine);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, editor, &one);
    pthread_create(&b, NULL, editor, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
