//@ verdict: race-free
//@ about: atomic sections exclude each other, whatever the inputs
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *worker(void *arg)
{
    int step = __VERIFIER_nondet_int();
    step++;
    __VERIFIER_atomic_begin();
    if (step > 3)
        x = x + step;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
