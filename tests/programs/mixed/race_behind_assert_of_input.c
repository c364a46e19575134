//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: defect
//@ race: x 14 14
//@ about: the race is there for the inputs that pass the assertion
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int x;
static void *worker(void *arg)
{
    x++;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    int n = __VERIFIER_nondet_int();
    assert(n != 7);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
