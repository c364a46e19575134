// A ring buffer between a producer and a consumer: the count of full slots is changed without a lock.
#include <pthread.h>
#include "pace.h"

enum { SLOTS = 2 };
struct item { int key, value, check; };
static struct item ring[SLOTS];
static int count;
static int taken;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    int place = 0;
    for (int tries = 0; tries < 5; tries++) {
        pause_for(1);
        if (self == 0 && count < SLOTS) { // planted
            ring[place].key = tries;
            ring[place].value = 10 * tries;
            ring[place].check = 11 * tries;
            place = (place + 1) % SLOTS;
            count = count + 1; // planted
        } else if (self == 1 && count > 0) { // planted
            taken = taken + ring[place].value;
            if (ring[place].key + ring[place].value != ring[place].check)
                taken = -1;
            ring[place].check = 0;
            place = (place + 1) % SLOTS;
            count = count - 1; // planted
        }
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
