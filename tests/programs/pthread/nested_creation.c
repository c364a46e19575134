//@ verdict: race-free
//@ about: a thread creates and joins its own child: the grandchild's work is ordered before main's join
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int steps[3];
static int count;

static void *grandchild(void *arg)
{
    (void)arg;
    steps[count++] = 2;
    return NULL;
}

static void *child(void *arg)
{
    (void)arg;
    steps[count++] = 1;
    pthread_t t;
    pthread_create(&t, NULL, grandchild, NULL);
    pthread_join(t, NULL);
    steps[count++] = 3;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    assert(count == 3);
    assert(steps[0] == 1 && steps[1] == 2 && steps[2] == 3);
    return 0;
}
