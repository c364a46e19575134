//@ verdict: race
//@ race: device.status 24 15
//@ about: volatile members of a struct race like any others
#include <pthread.h>
#include <stddef.h>

static struct {
    volatile unsigned status;
    unsigned data;
} device;

static void *interrupt(void *arg)
{
    (void)arg;
    device.status |= 1u;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, interrupt, NULL);
    for (int i = 0; i < 2; i++)
        if (device.status & 1u)
            break;
    device.data = 4;
    pthread_join(t, NULL);
    return 0;
}
