//@ verdict: race
//@ race: processed 46 46
//@ options: --threads 6 --time-limit 20
//@ about: a work queue makes the program depend on the schedule, and too large to search; the counter beside it is not protected
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 6
#define ITEMS 60

struct item {
    struct item *next;
    int work;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *head;
static long sum;
static int processed;

static struct item *take(void)
{
    pthread_mutex_lock(&lock);
    struct item *item = head;
    if (item)
        head = item->next;
    pthread_mutex_unlock(&lock);
    return item;
}

static void *worker(void *arg)
{
    (void)arg;
    long mine = 0;
    for (struct item *item; (item = take());) {
        for (int i = 0; i < item->work; i++)
            mine += i;
        free(item);
    }
    pthread_mutex_lock(&lock);
    sum += mine;
    int done = sum > 100;
    pthread_mutex_unlock(&lock);
    /* the statistics are only kept by who comes late */
    if (done)
        processed++;
    return 0;
}

int main(void)
{
    for (int i = 0; i < ITEMS; i++) {
        struct item *item = malloc(sizeof *item);
        item->work = i;
        item->next = head;
        head = item;
    }
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], 0);
    return 0;
}
