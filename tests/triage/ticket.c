// Two workers draw numbers of jobs from a counter without a lock, get the same one, and race on all that belongs to it.
#include <pthread.h>
#include "pace.h"

struct job { int state, owner, result, cost; };
static struct job jobs[4];
static int next_job;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    for (int round = 0; round < 2; round++) {
        int mine = next_job; // planted
        pause_for(2);
        next_job = mine + 1; // planted
        jobs[mine].state = 1;
        jobs[mine].owner = self;
        jobs[mine].cost = jobs[mine].cost + 10;
        jobs[mine].result = jobs[mine].owner * 100 + jobs[mine].cost;
        jobs[mine].state = 2;
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
