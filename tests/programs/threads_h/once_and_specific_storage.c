//@ verdict: race-free
//@ about: call_once and thread-specific storage with destructors
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int inits;
static mtx_t lock;
static int destroyed;

static void release(void *p)
{
    mtx_lock(&lock);
    destroyed += *(int *)p;
    mtx_unlock(&lock);
    free(p);
}

static void init(void)
{
    inits++;
    mtx_init(&lock, mtx_plain);
    tss_create(&key, release);
}

static int worker(void *arg)
{
    call_once(&once, init);
    assert(tss_get(key) == NULL);
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)arg;
    assert(tss_set(key, mine) == thrd_success);
    return *(int *)tss_get(key);
}

int main(void)
{
    thrd_t a, b;
    int x = 1, y = 10, ra, rb;
    thrd_create(&a, worker, &x);
    thrd_create(&b, worker, &y);
    thrd_join(a, &ra);
    thrd_join(b, &rb);
    assert(inits == 1 && ra == 1 && rb == 10 && destroyed == 11);
    tss_delete(key);
    return 0;
}
