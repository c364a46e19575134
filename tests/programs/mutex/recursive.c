//@ verdict: race-free
//@ about: a recursive mutex may be taken again by its owner and is free after as many unlocks
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int depth_sum;

static void descend(int depth)
{
    pthread_mutex_lock(&lock);
    if (depth > 0) {
        depth_sum += depth;
        descend(depth - 1);
    }
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    descend(*(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attr;
    int type = -1;
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_gettype(&attr, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutex_init(&lock, &attr) == 0);
    pthread_mutexattr_destroy(&attr);

    pthread_t a, b;
    int two = 2, one = 1;
    pthread_create(&a, NULL, worker, &two);
    pthread_create(&b, NULL, worker, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(depth_sum == 3 + 1);
    assert(pthread_mutex_trylock(&lock) == 0);
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
