//@ verdict: race
//@ race: left 13 26
//@ about: floating-point inputs decide what main writes
#include <pthread.h>
#include <stddef.h>
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

static double left, right;

static void *worker(void *arg)
{
    left = 1.0;
    return arg;
}

int main(void)
{
    pthread_t t;
    double d = __VERIFIER_nondet_double();
    float f = __VERIFIER_nondet_float();
    pthread_create(&t, NULL, worker, NULL);
    if (d > 0.5)
        right = f;
    else if (f < 2.0f)
        left = d;
    pthread_join(t, NULL);
    return left > 2.0;
}
