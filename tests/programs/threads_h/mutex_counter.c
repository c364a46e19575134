//@ verdict: race-free
//@ about: C11 threads: create, join with result, plain mutex
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int total;

static int worker(void *arg)
{
    int n = *(int *)arg;
    if (mtx_lock(&lock) != thrd_success)
        return -1;
    total += n;
    mtx_unlock(&lock);
    return n * 2;
}

int main(void)
{
    thrd_t a, b;
    int x = 3, y = 4, ra = 0, rb = 0;
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(thrd_create(&a, worker, &x) == thrd_success);
    assert(thrd_create(&b, worker, &y) == thrd_success);
    assert(thrd_join(a, &ra) == thrd_success);
    assert(thrd_join(b, &rb) == thrd_success);
    assert(ra == 6 && rb == 8 && total == 7);
    mtx_destroy(&lock);
    return 0;
}
