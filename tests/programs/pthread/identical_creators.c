//@ verdict: defect
//@ defect: assertion 34
//@ options: --engine race-graph
//@ about: threads alike create a thread each: which is created first is up to the schedule
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticket, last;

static void *leaf(void *arg)
{
    atomic_store(&last, *(int *)arg);
    return NULL;
}

static void *work(void *arg)
{
    int mine = atomic_fetch_add(&ticket, 1);
    pthread_t child;
    pthread_create(&child, NULL, leaf, &mine);
    pthread_join(child, NULL);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    /* the first can be the last */
    assert(last == 1);
    return 0;
}
