//@ verdict: defect
//@ defect: assertion 14
//@ about: calling __VERIFIER_error is a failed assertion, whatever its body does
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

void __VERIFIER_error(void) {}

static void *worker(void *arg)
{
    int n = __VERIFIER_nondet_int();
    if (n > 10 && n < 12)
        __VERIFIER_error();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
