//@ verdict: race
//@ race: next 28 30
//@ race: next 30 30
//@ races: at-least
//@ may-race: cells[0] 23 23
//@ may-race: cells[1] 23 23
//@ about: Netzer and Miller, figure 1: two workers remove array regions from a queue without synchronisation
#include <pthread.h>
#include <stddef.h>

#define CELLS 8
struct region {
    int lower, upper;
};

static int cells[CELLS];
static const struct region queue[2] = {{0, 2}, {6, 8}};
static int next;

static void work(int lower, int upper)
{
    for (int i = lower; i < upper; i++)
        cells[i]++;
}

static int remove_region(struct region *r)
{
    if (next >= 2)
        return 0;
    *r = queue[next++];
    return 1;
}

static void *child(void *arg)
{
    struct region *own = arg;
    struct region r;
    work(own->lower, own->upper);
    if (remove_region(&r))
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
    return 0;
}
