//@ verdict: defect
//@ defect: deadlock 31
//@ about: how many threads a barrier takes depends on who came first: in one order two, of which one is there
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static unsigned count = 1;
static void *change(void *arg)
{
    pthread_mutex_lock(&guard);
    count = 2;
    pthread_mutex_unlock(&guard);
    return arg;
}
static void *wait(void *arg)
{
    pthread_barrier_t b;
    pthread_mutex_lock(&guard);
    unsigned n = count;
    pthread_mutex_unlock(&guard);
    pthread_barrier_init(&b, 0, n);

    pthread_barrier_wait(&b);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, wait, 0);
    pthread_create(&t[1], 0, change, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
