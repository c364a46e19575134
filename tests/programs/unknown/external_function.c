//@ verdict: unknown
//@ reason: read_sensor
//@ reason-line: 15
//@ about: a function without a body and without a model
#include <pthread.h>
#include <stddef.h>

extern int read_sensor(int channel);

static int values[2];

static void *worker(void *arg)
{
    int channel = *(int *)arg;
    values[channel] = read_sensor(channel);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int channel = 1;
    pthread_create(&t, NULL, worker, &channel);
    pthread_join(t, NULL);
    return 0;
}
