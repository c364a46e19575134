//@ verdict: race-free
//@ about: the __atomic and __sync builtins
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static int shared;
static long total;
static char taken;

static void *worker(void *arg)
{
    long n = *(long *)arg;
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add(&total, n);
    return NULL;
}

static void check_results(void)
{
    int x = 10, out;
    assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == 10);
    __atomic_store_n(&x, 11, __ATOMIC_RELEASE);
    __atomic_load(&x, &out, __ATOMIC_RELAXED);
    assert(out == 11);
    assert(__atomic_exchange_n(&x, 6, __ATOMIC_ACQ_REL) == 11);
    assert(__atomic_add_fetch(&x, 4, __ATOMIC_RELAXED) == 10);
    assert(__atomic_sub_fetch(&x, 3, __ATOMIC_RELAXED) == 7);
    assert(__atomic_and_fetch(&x, 6, __ATOMIC_RELAXED) == 6);
    assert(__atomic_fetch_nand(&x, 3, __ATOMIC_RELAXED) == 6 && x == ~2);
    int want = 5;
    assert(!__atomic_compare_exchange_n(&x, &want, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(want == ~2);
    assert(__atomic_compare_exchange_n(&x, &want, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(!__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE));
    assert(__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE));
    __atomic_clear(&taken, __ATOMIC_RELEASE);

    assert(__sync_val_compare_and_swap(&x, 1, 9) == 1 && x == 9);
    assert(!__sync_bool_compare_and_swap(&x, 1, 2) && x == 9);
    assert(__sync_add_and_fetch(&x, 1) == 10);
    assert(__sync_fetch_and_or(&x, 5) == 10 && x == 15);
    assert(__sync_xor_and_fetch(&x, 8) == 7);
    assert(__sync_lock_test_and_set(&x, 1) == 7);
    __sync_lock_release(&x);
    assert(x == 0);
    __sync_synchronize();
}

int main(void)
{
    pthread_t a, b;
    long ten = 10, thirty = 30;
    pthread_create(&a, NULL, worker, &ten);
    pthread_create(&b, NULL, worker, &thirty);
    check_results();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared == 2 && total == 40);
    return 0;
}
