//@ verdict: race-free
//@ about: Goldilocks, section 2: each pair of threads shares one of three locks, no lock protects all
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m3 = PTHREAD_MUTEX_INITIALIZER;
static int x;

struct pair {
    pthread_mutex_t *first, *second;
};

static void *increment(void *arg)
{
    struct pair *p = arg;
    pthread_mutex_lock(p->first);
    pthread_mutex_lock(p->second);
    x++;
    pthread_mutex_unlock(p->first);
    pthread_mutex_unlock(p->second);
    return NULL;
}

int main(void)
{
    struct pair pairs[3] = {{&m1, &m2}, {&m2, &m3}, {&m1, &m3}};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, increment, &pairs[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(x == 3);
    return 0;
}
