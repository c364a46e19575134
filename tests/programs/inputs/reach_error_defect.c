//@ verdict: defect
//@ defect: assertion 33
//@ about: an error that some input reaches
#include <pthread.h>
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

void reach_error(void) { assert(0); }

static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
    pthread_mutex_lock(&m);
    sum += 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int n = __VERIFIER_nondet_int();
    pthread_create(&a, NULL, add, NULL);
    if (n)
        pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    if (n)
        pthread_join(b, NULL);
    if (sum == 4)
        reach_error();
    return 0;
}
