//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: defect
//@ race: x 13 19
//@ about: the thread that fails has written before; the other writes at any time
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int x;
static void *fails(void *arg)
{
    x = 1;
    assert(arg != NULL);
    return arg;
}
static void *writes(void *arg)
{
    x = 2;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, fails, NULL);
    pthread_create(&b, NULL, writes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
