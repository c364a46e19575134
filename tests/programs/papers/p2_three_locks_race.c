//@ verdict: race
//@ race: x 16 39
//@ about: the three-lock example, broken: the third thread takes only one of its two locks
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m3 = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    x++;
    pthread_mutex_unlock(first);
    pthread_mutex_unlock(second);
}

static void *t1(void *arg)
{
    (void)arg;
    both(&m1, &m2);
    return NULL;
}

static void *t2(void *arg)
{
    (void)arg;
    both(&m2, &m3);
    return NULL;
}

static void *t3(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m1);
    x++;
    pthread_mutex_unlock(&m1);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    pthread_create(&c, NULL, t3, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
