//@ verdict: race-free
//@ about: inputs that are not of interest end the program with abort
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}

static int cells[8];

static void *fill(void *arg)
{
    int *from = arg;
    from[0] = 1;
    from[1] = 2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 2);
    assume_abort_if_not(n <= 6);
    pthread_create(&a, NULL, fill, cells);
    pthread_create(&b, NULL, fill, cells + n);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
