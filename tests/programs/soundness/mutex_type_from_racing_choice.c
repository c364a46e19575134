//@ verdict: defect
//@ defect: deadlock 31
//@ about: the type of a mutex depends on who came first: in one order it is not recursive
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int type = PTHREAD_MUTEX_RECURSIVE;
static void *change(void *arg)
{
    pthread_mutex_lock(&guard);
    type = PTHREAD_MUTEX_NORMAL;
    pthread_mutex_unlock(&guard);
    return arg;
}
static void *twice(void *arg)
{
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    pthread_mutexattr_init(&a);
    pthread_mutex_lock(&guard); pthread_mutexattr_settype(&a, type); pthread_mutex_unlock(&guard);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, twice, 0);
    pthread_create(&t[1], 0, change, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
