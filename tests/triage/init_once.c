// Lazy initialisation without protection: both threads find it not done, and build the tables twice at the same time.
#include <pthread.h>
#include "pace.h"

static int initialised;
static int squares[4], cubes[4], limit, scale;

static void prepare(void)
{
    if (!initialised) { // planted
        pause_for(2);
        limit = 4;
        scale = 3;
        for (int i = 0; i < 4; i++)
            squares[i] = i * i;
        for (int i = 0; i < 4; i++)
            cubes[i] = i * i * i;
        initialised = 1; // planted
    }
}

static void *worker(void *argument)
{
    int self = *(int *)argument;
    prepare();
    int sum = 0;
    for (int i = 0; i < limit; i++)
        sum = sum + squares[i] * scale + cubes[i] + self;
    return (void *)(long)sum;
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
