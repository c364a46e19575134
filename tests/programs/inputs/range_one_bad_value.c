//@ verdict: defect
//@ defect: assertion 13
//@ about: one value of the range breaks the assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern int raceproof_range(int lo, int hi);

static void *worker(void *arg)
{
    int n = *(int *)arg;
    assert(n * n != 49);
    return NULL;
}

int main(void)
{
    int n = raceproof_range(-3, 8);
    pthread_t t;
    pthread_create(&t, NULL, worker, &n);
    pthread_join(t, NULL);
    return 0;
}
