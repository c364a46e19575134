//@ verdict: race-free
//@ about: C11 threads take turns; thread-specific and thread-local data
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int turn;
static once_flag f = ONCE_FLAG_INIT;
static tss_t k;
static thread_local int mine;
static void init(void)
{
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    tss_create(&k, free);
}
static int w(void *a)
{
    call_once(&f, init);
    int me = *(int *)a;
    tss_set(k, malloc(4));
    for (int i = 0; i < 2; i++) {
        mtx_lock(&m);
        while (turn != me)
            cnd_wait(&c, &m);
        mine++;
        turn = !me;
        cnd_broadcast(&c);
        mtx_unlock(&m);
    }
    return mine;
}
int main(void)
{
    thrd_t t[2];
    int id[2] = {0, 1}, r, s;
    for (int i = 0; i < 2; i++)
        if (thrd_create(&t[i], w, &id[i]) != thrd_success)
            abort();
    thrd_join(t[0], &r);
    thrd_join(t[1], &s);
    printf("%d\n", r + s);
}
