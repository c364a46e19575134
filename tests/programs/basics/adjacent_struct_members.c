//@ verdict: race-free
//@ about: adjacent members of a struct are different memory locations, even if they share a machine word
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    char low;
    char high;
    short mid;
} status;

static void *set_low(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++)
        status.low++;
    return NULL;
}

static void *set_mid(void *arg)
{
    (void)arg;
    status.mid = -2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set_low, NULL);
    pthread_create(&b, NULL, set_mid, NULL);
    status.high = 'h';
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(status.low == 3 && status.high == 'h' && status.mid == -2);
    return 0;
}
