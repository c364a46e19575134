//@ verdict: race
//@ race: x 14 26
//@ options: --engine race-graph
//@ about: of two threads alike one is detached: it may be the one with the second ticket, whose write main does not wait for
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticket;
static int x;

static void *work(void *arg)
{
    if (atomic_fetch_add(&ticket, 1) == 1)
        x = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_detach(a);
    pthread_join(b, NULL);
    /* a may be second */
    return x & 0;
}
