//@ verdict: race
//@ race: table[3] 13 23
//@ about: an assumption allows one index too many
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int table[4];

static void *last(void *arg)
{
    table[3] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= n && n <= 3);
    pthread_create(&t, NULL, last, NULL);
    table[n] = 2;
    pthread_join(t, NULL);
    return 0;
}
