//@ verdict: defect
//@ defect: misuse 25
//@ about: whether a thread is detached depends on who came first: then it must not be joined
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int state = PTHREAD_CREATE_JOINABLE;
static void *change(void *arg)
{
    pthread_mutex_lock(&guard);
    state = PTHREAD_CREATE_DETACHED;
    pthread_mutex_unlock(&guard);
    return arg;
}
static void *nothing(void *arg) { return arg; }
static void *create(void *arg)
{
    pthread_attr_t a;
    pthread_t t;
    pthread_attr_init(&a);
    pthread_mutex_lock(&guard);
    pthread_attr_setdetachstate(&a, state);
    pthread_mutex_unlock(&guard);
    pthread_create(&t, &a, nothing, 0);
    pthread_join(t, 0);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, create, 0);
    pthread_create(&t[1], 0, change, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
