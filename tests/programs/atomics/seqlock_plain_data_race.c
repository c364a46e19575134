//@ verdict: race
//@ race: point.x 18 32
//@ race: point.y 19 33
//@ about: a sequence lock over plain data: the reader retries, but its reads still race
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static struct {
    int x, y;
} point;

static void *writer(void *arg)
{
    (void)arg;
    atomic_fetch_add(&sequence, 1);
    point.x = 1;
    point.y = 2;
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    unsigned before, after;
    int x, y;
    do {
        before = atomic_load(&sequence);
        x = point.x;
        y = point.y;
        after = atomic_load(&sequence);
    } while (before != after || before % 2);
    pthread_join(t, NULL);
    printf("%d %d\n", x, y);
    return 0;
}
