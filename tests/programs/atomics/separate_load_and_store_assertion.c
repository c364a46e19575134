//@ verdict: defect
//@ defect: assertion 26
//@ about: an atomic load followed by an atomic store is not an atomic increment
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int tickets;

static void *buyer(void *arg)
{
    (void)arg;
    int n = atomic_load(&tickets);
    atomic_store(&tickets, n + 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, buyer, NULL);
    pthread_create(&b, NULL, buyer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(tickets == 2);
    return 0;
}
