// Netzer and Miller, figure 1: two workers take array regions from a shared queue. Each takes the queue's lock before
// it removes a region, but each has a lock of its own, so a remove can see half of another one: the left worker
// gets the upper bound of the last record and the lower bound of the one before, and works on what is not its own.
#include <pthread.h>
#include "pace.h"

enum { SIZE = 40 };
static int array[SIZE];
static int lower[] = {0, 30}, upper[] = {10, 40};
static int tail = 1;
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void work(int from, int to)
{
    for (int i = from; i < to; i += 10)
        array[i] = array[i] * 2 + 1;
}

static void *worker(void *argument)
{
    int self = *(int *)argument;
    work(10 + 10 * self, 20 + 10 * self);
    pthread_mutex_lock(&lock[self]);
    int to = upper[tail]; // planted
    if (self == 0)
        pause_for(4);
    int from = lower[tail]; // planted
    tail = tail - 1; // planted
    pthread_mutex_unlock(&lock[self]);
    work(from, to);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
