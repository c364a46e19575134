//@ verdict: race
//@ race: second 25 13
//@ about: the first thread reads the handle of the second while main creates it
#include <pthread.h>
#include <stddef.h>

static pthread_t first, second;
static int same;

static void *watcher(void *arg)
{
    (void)arg;
    same = pthread_equal(second, pthread_self());
    return NULL;
}

static void *idle(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_create(&first, NULL, watcher, NULL);
    pthread_create(&second, NULL, idle, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return same;
}
