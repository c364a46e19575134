//@ verdict: race
//@ race: data 20 29
//@ about: an input decides in one thread, goes through a relaxed atomic, and decides in another
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int data;
static atomic_int cell;

static void *sets(void *arg)
{
    (void)arg;
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input >= 0 && input < 4);
    if (input != 2)
        /* for 0, 1 and 3 */
        data = 2;
    atomic_store_explicit(&cell, input, memory_order_release);
    return 0;
}

static void *looks(void *arg)
{
    (void)arg;
    if (atomic_load_explicit(&cell, memory_order_relaxed) == 1)
        data = data + 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, sets, 0);
    pthread_create(&u, 0, looks, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
