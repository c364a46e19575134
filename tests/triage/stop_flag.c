// One thread tells the other by a plain flag that it may clean up: the clean-up races with everything.
#include <pthread.h>
#include <stdlib.h>
#include "pace.h"

struct session { int id, open, sent, received, errors; };
static struct session sessions[2];
static int stop, cleaned;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    if (self == 0) {
        for (int i = 0; i < 2; i++) {
            sessions[i].id = i;
            sessions[i].open = 1;
            sessions[i].sent = sessions[i].sent + 5;
            sessions[i].received = sessions[i].received + 7;
        }
        stop = 1; // planted
    } else {
        for (int tries = 0; tries < 5; tries++) {
            pause_for(1);
            if (stop) { // planted
                for (int i = 0; i < 2; i++) {
                    if (sessions[i].open)
                        cleaned = cleaned + sessions[i].sent + sessions[i].received;
                    sessions[i].open = 0;
                    sessions[i].errors = sessions[i].id;
                }
                break;
            }
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
