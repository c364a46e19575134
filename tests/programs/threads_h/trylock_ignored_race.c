//@ verdict: race
//@ race: value 25 13
//@ about: mtx_trylock may return thrd_busy
#include <threads.h>

static mtx_t lock;
static int value;

static int worker(void *arg)
{
    (void)arg;
    int r = mtx_trylock(&lock);
    value++;
    if (r == thrd_success)
        mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    thrd_create(&t, worker, NULL);
    mtx_lock(&lock);
    value += 10;
    mtx_unlock(&lock);
    thrd_join(t, NULL);
    return 0;
}
