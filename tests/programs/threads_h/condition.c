//@ verdict: race-free
//@ about: cnd_wait, cnd_signal, cnd_broadcast and cnd_timedwait
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t changed;
static int stage;

static int worker(void *arg)
{
    (void)arg;
    mtx_lock(&lock);
    while (stage != 1)
        cnd_wait(&changed, &lock);
    stage = 2;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    assert(cnd_init(&changed) == thrd_success);
    thrd_create(&t, worker, NULL);
    mtx_lock(&lock);
    stage = 1;
    cnd_signal(&changed);
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec += 1;
    int r = thrd_success;
    while (stage != 2 && r == thrd_success)
        r = cnd_timedwait(&changed, &lock, &until);
    assert(stage == 2 || r == thrd_timedout);
    mtx_unlock(&lock);
    thrd_join(t, NULL);
    assert(stage == 2);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
