//@ verdict: race
//@ race: y 16 30
//@ options: --engine race-graph
//@ about: the thread with the second ticket waits for what main does between two joins: seen only if the thread joined first has the first ticket
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticket, flag;
static int y;

static void *work(void *arg)
{
    if (atomic_fetch_add(&ticket, 1) == 1) {
        while (!atomic_load(&flag)) {
        }
        y = 1;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    /* if a was first, b never ends: no deadlock, since it spins */
    pthread_join(b, NULL);
    atomic_store(&flag, 1);
    /* a may be at it */
    y = 2;
    pthread_join(a, NULL);
    return 0;
}
