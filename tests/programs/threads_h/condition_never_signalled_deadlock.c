//@ verdict: defect
//@ defect: deadlock 16
//@ about: the flag is set but nobody signals the waiting thread
#include <stdbool.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static bool done;

static int waiter(void *arg)
{
    (void)arg;
    mtx_lock(&lock);
    while (!done)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&t, waiter, NULL);
    mtx_lock(&lock);
    done = true;
    mtx_unlock(&lock);
    thrd_join(t, NULL);
    return 0;
}
