//@ verdict: race-free
//@ about: a zero-width bit-field starts a new memory location, so the two fields do not race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned ready : 3;
    unsigned : 0;
    unsigned done : 3;
} flags;

static void *set_ready(void *arg)
{
    (void)arg;
    flags.ready = 5;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set_ready, NULL);
    flags.done = 6;
    pthread_join(t, NULL);
    assert(flags.ready == 5 && flags.done == 6);
    return 0;
}
