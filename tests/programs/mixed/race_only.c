//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: none
//@ race: x 14 14
//@ options: --engine race-graph
//@ about: a race and nothing else; the search is complete
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int x;
static void *worker(void *arg)
{
    x++;
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
