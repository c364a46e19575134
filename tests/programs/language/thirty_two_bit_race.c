//@ verdict: race
//@ race: total 12 12
//@ flags: -m32
//@ about: a race on a 32-bit target
#include <pthread.h>
#include <stddef.h>

static long long total;

static void *worker(void *arg)
{
    total += *(int *)arg;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x = 1, y = 2;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
