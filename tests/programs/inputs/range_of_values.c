//@ verdict: race-free
//@ about: raceproof_range is explored value by value
#include "raceproof.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cells[6];

static void *worker(void *arg)
{
    int k = *(int *)arg;
    for (int i = 0; i < k; i++)
        cells[i]++;
    return NULL;
}

int main(void)
{
    int k = raceproof_range(1, 5);
    assert(k >= 1 && k <= 5);
    pthread_t t;
    pthread_create(&t, NULL, worker, &k);
    for (int i = k; i < 6; i++)
        cells[i]++;
    pthread_join(t, NULL);
    for (int i = 0; i < 6; i++)
        assert(cells[i] == 1);
    return 0;
}
