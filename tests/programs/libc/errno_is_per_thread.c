//@ verdict: race-free
//@ about: errno is one object a thread
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    errno = 0;
    long n = strtol("99999999999999999999999", NULL, 10);
    (void)n;
    assert(errno == ERANGE);
    errno = *(int *)arg;
    assert(errno == *(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x = 1, y = 2;
    errno = 77;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
