//@ verdict: race-free
//@ about: an _Atomic struct is loaded, stored and exchanged as a whole
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct pair {
    int low, high;
};

static _Atomic struct pair range;

static void *widen(void *arg)
{
    int n = *(int *)arg;
    struct pair old = atomic_load(&range);
    struct pair next;
    do {
        next = old;
        next.low -= n;
        next.high += n;
    } while (!atomic_compare_exchange_weak(&range, &old, next));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, widen, &one);
    pthread_create(&b, NULL, widen, &two);
    struct pair seen = range;
    assert(seen.low == -seen.high);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    seen = atomic_exchange(&range, ((struct pair){7, 7}));
    assert(seen.low == -3 && seen.high == 3);
    return 0;
}
