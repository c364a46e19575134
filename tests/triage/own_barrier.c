// A barrier made by hand from a plain counter: the second phase reads what the other thread has written in the first.
#include <pthread.h>
#include "pace.h"

enum { PART = 3 };
static double left[2 * PART], right[2 * PART], edge[2];
static int arrived;
static double result[2];

static void *worker(void *argument)
{
    int self = *(int *)argument, other = 1 - self;
    for (int i = 0; i < PART; i++) {
        left[self * PART + i] = i;
        right[self * PART + i] = 2 * i;
    }
    edge[self] = left[self * PART];
    arrived = arrived + 1; // planted
    int tries = 0;
    while (arrived < 2 && tries++ < 8) // planted
        pause_for(1);
    if (arrived == 2) { // planted
        for (int i = 0; i < PART; i++) {
            result[self] = result[self] + left[other * PART + i];
            result[self] = result[self] + right[other * PART + i];
        }
        result[self] = result[self] + edge[other];
        edge[other] = 0;
    }
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
