//@ verdict: defect
//@ defect: out-of-bounds 23
//@ defect: invalid-pointer 23
//@ about: an index without a check
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int table[10];

static void *worker(void *arg)
{
    table[0] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    int n = __VERIFIER_nondet_int();
    table[n] = 2;
    return 0;
}
