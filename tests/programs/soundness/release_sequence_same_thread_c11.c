//@ verdict: race-free
//@ flags: -std=c11
//@ about: in C11 a relaxed store of the same thread continues the release sequence (5.1.2.4)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int f;
int x;

void *work(void *arg)
{
    x = 1;
    atomic_store_explicit(&f, 1, memory_order_release);
    atomic_store_explicit(&f, 2, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (atomic_load_explicit(&f, memory_order_acquire) == 2)
        assert(x == 1);
    pthread_join(t, 0);
    return 0;
}
