//@ verdict: race
//@ race: x 14 23
//@ options: --engine race-graph
//@ about: two threads alike, of which one knows what main wrote between the two creations: the one with the second ticket looks at it
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticket;
static int x;

static void *work(void *arg)
{
    if (atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed) == 1)
        return x ? arg : NULL;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    /* a may read it */
    x = 1;
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
