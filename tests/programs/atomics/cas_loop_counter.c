//@ verdict: race-free
//@ about: a counter and a maximum kept with compare-and-swap loops
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;
static atomic_int maximum;

static void add(int n)
{
    int old = atomic_load(&counter);
    while (!atomic_compare_exchange_weak(&counter, &old, old + n))
        ;
}

static void note(int n)
{
    int seen = atomic_load(&maximum);
    while (seen < n && !atomic_compare_exchange_strong(&maximum, &seen, n))
        ;
}

static void *worker(void *arg)
{
    int n = *(int *)arg;
    add(n);
    note(n);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int five = 5, nine = 9;
    pthread_create(&a, NULL, worker, &five);
    pthread_create(&b, NULL, worker, &nine);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 14);
    assert(maximum == 9);
    return 0;
}
