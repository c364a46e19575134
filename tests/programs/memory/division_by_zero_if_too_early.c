//@ verdict: defect
//@ defect: division-by-zero 25
//@ about: the divisor may still be zero
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int samples, sum;

static void *sampler(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    sum += 10;
    samples++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sampler, NULL);
    pthread_mutex_lock(&lock);
    int mean = sum / samples;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return mean - 10;
}
