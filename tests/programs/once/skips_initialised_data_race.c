//@ verdict: race
//@ race: level 12 25
//@ about: a reader that does not go through pthread_once is not ordered after the initialiser
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int level;

static void set_level(void)
{
    level = 3;
}

static void *worker(void *arg)
{
    pthread_once(&once, set_level);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    printf("%d\n", level);
    pthread_join(t, NULL);
    return 0;
}
