//@ verdict: race-free
//@ about: a ticket lock
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next_, serving;
static int c;

static void lock(void)
{
    unsigned me = atomic_fetch_add(&next_, 1);
    while (atomic_load(&serving) != me) {
    }
}

static void unlock(void)
{
    atomic_fetch_add(&serving, 1);
}

static void *w(void *a)
{
    for (int i = 0; i < 3; i++) {
        lock();
        c++;
        unlock();
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(t + i, 0, w, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return c == 6 ? 0 : 1;
}
