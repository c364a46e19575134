//@ verdict: race-free
//@ about: the child passes the handle of its own child to main, which joins both
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int progress;

static void *grandchild(void *arg)
{
    progress = 100;
    return arg;
}

static void *child(void *arg)
{
    pthread_create(arg, NULL, grandchild, NULL);
    return NULL;
}

int main(void)
{
    pthread_t outer, inner;
    pthread_create(&outer, NULL, child, &inner);
    pthread_join(outer, NULL);
    pthread_join(inner, NULL);
    assert(progress == 100);
    return 0;
}
