//@ verdict: race-free
//@ about: return values and pthread_exit values arrive at pthread_join
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *square(void *arg)
{
    intptr_t n = (intptr_t)arg;
    return (void *)(n * n);
}

static void leave(int code)
{
    pthread_exit((void *)(intptr_t)code);
}

static void *exits_early(void *arg)
{
    (void)arg;
    leave(-7);
    abort();
}

static void *heap_result(void *arg)
{
    double *d = malloc(sizeof *d);
    *d = *(double *)arg / 4;
    return d;
}

int main(void)
{
    pthread_t a, b, c;
    double input = 10.0;
    void *ra, *rb, *rc;
    assert(pthread_create(&a, NULL, square, (void *)(intptr_t)9) == 0);
    assert(pthread_create(&b, NULL, exits_early, NULL) == 0);
    assert(pthread_create(&c, NULL, heap_result, &input) == 0);
    assert(pthread_join(c, &rc) == 0);
    assert(pthread_join(a, &ra) == 0);
    assert(pthread_join(b, &rb) == 0);
    assert((intptr_t)ra == 81);
    assert((intptr_t)rb == -7);
    assert(*(double *)rc == 2.5);
    free(rc);
    return 0;
}
