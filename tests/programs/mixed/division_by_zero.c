//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: division-by-zero 16
//@ about: a division by zero behind protected data
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x = 2;
static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x--;
    int y = 4 / x;
    pthread_mutex_unlock(&m);
    return y ? arg : NULL;
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
