//@ verdict: race
//@ race: x 14 25
//@ options: --engine race-graph
//@ about: two threads alike; main reads between two joins what only the one with the first ticket writes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticket;
static int x;

static void *work(void *arg)
{
    if (atomic_fetch_add(&ticket, 1) == 0)
        x = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    /* b may have been first */
    int seen = x;
    pthread_join(b, NULL);
    return seen & 0;
}
