//@ verdict: race-free
//@ about: recursive and timed mutexes, trylock results, thread identities, thrd_exit
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t recursive, timed;
static thrd_t main_thread;
static int value;

static int worker(void *arg)
{
    (void)arg;
    assert(!thrd_equal(thrd_current(), main_thread));
    assert(mtx_trylock(&recursive) == thrd_busy);
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    int r = mtx_timedlock(&timed, &until);
    if (r == thrd_success) {
        value++;
        mtx_unlock(&timed);
    } else {
        assert(r == thrd_timedout);
    }
    thrd_exit(r == thrd_success ? 1 : 0);
}

int main(void)
{
    main_thread = thrd_current();
    assert(thrd_equal(main_thread, thrd_current()));
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    mtx_lock(&recursive);
    mtx_lock(&recursive);
    mtx_unlock(&recursive);
    thrd_t t;
    int result = -1;
    thrd_create(&t, worker, NULL);
    mtx_lock(&timed);
    value += 10;
    mtx_unlock(&timed);
    thrd_yield();
    thrd_join(t, &result);
    assert(value == 10 + result);
    mtx_unlock(&recursive);
    return 0;
}
