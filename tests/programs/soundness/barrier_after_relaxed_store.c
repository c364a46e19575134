//@ verdict: race
//@ about: once answered wrongly because the last to arrive at a barrier has its fresh accesses marked as compared before they are
//@ race: x 14 24
//@ about: both write before the same barrier; one of them has an older segment in its history (found by the oracle)
#include <pthread.h>
#include <stdatomic.h>

pthread_barrier_t bar;
atomic_int a;
int x;

void *first(void *arg)
{
    x = 1;
    pthread_barrier_wait(&bar);
    return arg;
}

void *second(void *arg)
{
    while (atomic_exchange(&a, 1) != 0)
        ;
    atomic_store_explicit(&a, 0, memory_order_relaxed);
    x = 2;
    pthread_barrier_wait(&bar);
    return arg;
}

int main(void)
{
    pthread_t s, t;
    pthread_barrier_init(&bar, 0, 2);
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_exit(0);
}
