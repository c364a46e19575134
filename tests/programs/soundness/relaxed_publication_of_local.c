//@ verdict: race
//@ about: once answered wrongly because accesses to a local variable before its publication are not recorded
//@ race: x|*q 27 18
//@ about: a local variable is written, then published by a relaxed store: the reader is not ordered after the write
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(int *) p;
int got;

void *reader(void *arg)
{
    (void)arg;
    int *q = atomic_load_explicit(&p, memory_order_relaxed);

    if (q)
        got = *q;
    return 0;
}

int main(void)
{
    pthread_t t;
    int x;
    pthread_create(&t, 0, reader, 0);
    x = 42;
    atomic_store_explicit(&p, &x, memory_order_relaxed);
    pthread_join(t, 0);
    return 0;
}
