// Two workers draw the numbers of their jobs from a counter that nobody protects. Now and then both draw the same one.
#include <pthread.h>
#include <stdatomic.h>

struct job { int owner, cost, done; };
static struct job jobs[4];
static int next_job;
static atomic_int logged;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    for (int round = 0; round < 2; round++) {
        int mine = next_job;
        atomic_fetch_add_explicit(&logged, 1, memory_order_relaxed);
        next_job = mine + 1;
        jobs[mine].owner = self;
        jobs[mine].cost = jobs[mine].cost + 10;
        jobs[mine].done = 1;
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
