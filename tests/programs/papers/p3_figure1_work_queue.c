//@ verdict: race-free
//@ about: Netzer and Miller, figure 1 with a synchronised queue: the regions are disjoint and nothing races
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define CELLS 8
struct region {
    int lower, upper;
};

static int cells[CELLS];
static const struct region queue[2] = {{0, 2}, {6, 8}};
static int next;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static void work(int lower, int upper)
{
    for (int i = lower; i < upper; i++)
        cells[i]++;
}

static int remove_region(struct region *r)
{
    int found = 0;
    pthread_mutex_lock(&queue_lock);
    if (next < 2) {
        *r = queue[next++];
        found = 1;
    }
    pthread_mutex_unlock(&queue_lock);
    return found;
}

static void *child(void *arg)
{
    struct region *own = arg;
    struct region r;
    work(own->lower, own->upper);
    while (remove_region(&r))
        work(r.lower, r.upper);
    return NULL;
}

int main(void)
{
    pthread_t left, right;
    struct region internal[2] = {{2, 4}, {4, 6}};
    pthread_create(&left, NULL, child, &internal[0]);
    pthread_create(&right, NULL, child, &internal[1]);
    pthread_join(left, NULL);
    pthread_join(right, NULL);
    for (int i = 0; i < CELLS; i++)
        assert(cells[i] == 1);
    return 0;
}
