//@ verdict: race
//@ race: x 15 23
//@ options: --engine race-graph
//@ about: a helper joins one of two threads alike, and reads what the one with the first ticket writes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticket;
static int x;
static pthread_t a, b;

static void *work(void *arg)
{
    if (atomic_fetch_add(&ticket, 1) == 0)
        x = 1;
    return arg;
}

static void *help(void *arg)
{
    pthread_join(a, NULL);
    /* b may have been first */
    return x ? arg : NULL;
}

int main(void)
{
    pthread_t helper;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_create(&helper, NULL, help, NULL);
    pthread_join(b, NULL);
    pthread_join(helper, NULL);
    return 0;
}
