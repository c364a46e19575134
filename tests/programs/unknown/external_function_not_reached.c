//@ verdict: race-free
//@ about: an unknown function that no run reaches does no harm
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

__attribute__((weak)) extern int read_sensor(int channel);

static int simulated = 1;
static int value;

static void *worker(void *arg)
{
    int channel = *(int *)arg;
    value = simulated ? 10 * channel : read_sensor(channel);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int channel = 2;
    pthread_create(&t, NULL, worker, &channel);
    pthread_join(t, NULL);
    assert(value == 20);
    return 0;
}
