//@ verdict: race
//@ race: flags.ready|flags.done 15 23
//@ about: adjacent bit-fields form one memory location, so writing two of them races
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned ready : 1;
    unsigned done : 1;
} flags;

static void *set_ready(void *arg)
{
    (void)arg;
    flags.ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set_ready, NULL);
    flags.done = 1;
    pthread_join(t, NULL);
    return 0;
}
