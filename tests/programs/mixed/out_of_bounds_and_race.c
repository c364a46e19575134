//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: defect
//@ race: x 13 13
//@ about: an access out of bounds in one thread, a race of the others
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int a[2], x;
static void *worker(void *arg)
{
    x++;
    if (arg)
        a[*(int *)arg] = 1;
    return NULL;
}
int main(void)
{
    pthread_t p, q;
    static int five = 5;
    pthread_create(&p, NULL, worker, &five);
    pthread_create(&q, NULL, worker, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    return 0;
}
