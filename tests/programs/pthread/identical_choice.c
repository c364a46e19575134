//@ verdict: defect
//@ defect: assertion 16
//@ options: --engine race-graph
//@ about: threads alike choose a value before their first operation: the second can have chosen the smaller one
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int raceproof_range(int lo, int hi);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int largest;
static void *work(void *arg)
{
    int mine = raceproof_range(1, 2);
    pthread_mutex_lock(&lock);
    assert(mine >= largest);
    largest = mine;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
