//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: defect
//@ race: x 13 13
//@ about: both threads write before the assertion that ends one of them
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int x;
static void *worker(void *arg)
{
    x++;
    assert(arg != NULL);
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
