//@ verdict: race-free
//@ options: --engine race-graph
//@ about: threads alike that return null, and are asked
#include <assert.h>
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
    pthread_t t[3];
    void *result;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 2; i >= 0; i--) {
        pthread_join(t[i], &result);
        assert(result == NULL);
    }
    assert(x == 1);
    return 0;
}
