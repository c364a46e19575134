//@ verdict: race-free
//@ about: every operation of stdatomic.h, its result and its effect, on several types
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int i = 5;
static atomic_uchar u8;
static atomic_llong wide;
static _Atomic(uint16_t) u16;
static atomic_bool flag;
static int cells[4] = {10, 20, 30, 40};
static int *_Atomic cursor = cells;
static _Atomic double ratio = 1.5;

static void *run(void *arg)
{
    (void)arg;
    assert(atomic_fetch_add(&i, 3) == 5 && atomic_load(&i) == 8);
    assert(atomic_fetch_sub(&i, 10) == 8 && i == -2);
    assert(atomic_fetch_and(&i, 0xff) == -2 && i == 0xfe);
    assert(atomic_fetch_or(&i, 1) == 0xfe && i == 0xff);
    assert(atomic_fetch_xor(&i, 0xf0) == 0xff && i == 0x0f);
    assert(atomic_exchange(&i, 77) == 15 && i == 77);
    int expected = 1;
    assert(!atomic_compare_exchange_strong(&i, &expected, 2) && expected == 77 && i == 77);
    assert(atomic_compare_exchange_strong(&i, &expected, 2) && i == 2);
    i += 4;
    assert(i++ == 6 && ++i == 8);
    i *= 3;
    i -= 1;
    assert(i == 23);

    atomic_init(&u8, 250);
    assert(atomic_fetch_add_explicit(&u8, 10, memory_order_relaxed) == 250 && u8 == 4);
    atomic_store(&wide, 1LL << 40);
    assert(atomic_fetch_or_explicit(&wide, 1, memory_order_acq_rel) == 1LL << 40);
    assert(atomic_load_explicit(&wide, memory_order_seq_cst) == (1LL << 40) + 1);
    u16 = 0xffff;
    u16++;
    assert(u16 == 0);
    assert(!atomic_exchange_explicit(&flag, true, memory_order_acquire) && flag);

    assert(atomic_fetch_add(&cursor, 2) == cells && *cursor == 30);
    cursor++;
    assert(*atomic_load(&cursor) == 40);
    ratio += 0.25;
    ratio *= 2;
    assert(ratio == 3.5);
    assert(atomic_is_lock_free(&i));
    atomic_flag f = ATOMIC_FLAG_INIT;
    assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f));
    atomic_flag_clear(&f);
    assert(!atomic_flag_test_and_set(&f));
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
