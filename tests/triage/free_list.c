// An allocator whose free list has no lock: both threads get the same cell, and race on all of its fields. Each also
// counts its requests in a statistic that nobody protects: a race of its own, before the others in time.
#include <pthread.h>
#include "pace.h"

struct cell { struct cell *next; int owner, size, used, mark; };
static struct cell cells[4] = {{&cells[1], 0, 0, 0, 0}, {&cells[2], 0, 0, 0, 0}, {&cells[3], 0, 0, 0, 0}, {0, 0, 0, 0, 0}};
static struct cell *free_cells = &cells[0];
static int requests, bytes;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    requests = requests + 1;
    bytes = bytes + 16;
    struct cell *mine = free_cells; // planted
    pause_for(2);
    free_cells = mine->next; // planted
    mine->owner = self;
    mine->size = 16;
    mine->used = mine->used + 1;
    mine->mark = mine->owner + mine->size;
    mine->next = 0;
    mine->owner = -1;
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
