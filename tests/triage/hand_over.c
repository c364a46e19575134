// Two threads pass a buffer to and fro; whose turn it is stands in a plain variable. An unprotected counter of rounds,
// which nobody uses, races as well.
#include <pthread.h>
#include "pace.h"

static int turn;
static int buffer[3], length, sum, rounds;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    for (int tries = 0; tries < 6; tries++) {
        rounds = rounds + 1;
        pause_for(1);
        if (turn == self) { // planted
            length = 3;
            for (int i = 0; i < 3; i++)
                buffer[i] = buffer[i] + self;
            sum = buffer[0] + buffer[1];
            sum = sum + length;
            turn = 1 - self; // planted
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
